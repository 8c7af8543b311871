import { useEffect, useEffectEvent, useState } from "react";

export type Connection = "connecting" | "live" | "down";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;

interface Listener<Frame> {
  onFrame: (frame: Frame) => void;
  /** A connection was lost: frames that are not stored may be missing from now on. */
  onLost?: () => void;
}

/**
 * Listens to a server-sent event stream for as long as the component lives.
 *
 * EventSource reconnects by itself after a broken connection, but gives up for good when the server
 * answers with an error (as a proxy does while the service restarts); then a new one is opened.
 */
export function useEventStream<Frame>(url: string | null, listener: Listener<Frame>): Connection {
  const [state, setState] = useState<{ url: string | null; connection: Connection }>({ url, connection: "connecting" });
  const onFrame = useEffectEvent(listener.onFrame);
  const onLost = useEffectEvent(() => listener.onLost?.());

  useEffect(() => {
    if (url === null) return;
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let wait = FIRST_RETRY_MS;

    const open = () => {
      source = new EventSource(url);
      source.onopen = () => {
        wait = FIRST_RETRY_MS;
        setState({ url, connection: "live" });
      };
      source.onmessage = (message: MessageEvent<string>) => {
        onFrame(JSON.parse(message.data) as Frame);
      };
      source.onerror = () => {
        setState({ url, connection: "down" });
        onLost();
        if (source.readyState !== EventSource.CLOSED) return;
        retry = setTimeout(open, wait);
        wait = Math.min(wait * 2, LAST_RETRY_MS);
      };
    };

    open();
    return () => {
      clearTimeout(retry);
      source.close();
    };
  }, [url]);

  return state.url === url ? state.connection : "connecting";
}
