import { useEffect, useRef, useState } from "react";
import { sendMessage } from "@/api/client";
import { isRefusal } from "@/api/problem";
import { newMessageId } from "@/features/chat/messageId";

/** A message that the customer wrote and the transcript does not show yet. Its id is the message's own. */
export interface Outgoing {
  id: string;
  text: string;
  /** `stuck` is sent again by itself; `failed` was refused and needs the customer. */
  state: "sending" | "stuck" | "failed" | "accepted";
  error: unknown;
}

export interface Outbox {
  outgoing: readonly Outgoing[];
  send: (text: string) => void;
  retry: (id: string) => void;
  discard: (id: string) => void;
}

const RETRY_MS = 3_000;

/**
 * Sends messages one after another, in the order they were written, into a session that `session` finds or creates.
 * A message that gets no answer holds the later ones up and goes out again under the same id.
 */
export function useOutbox(session: () => Promise<string>): Outbox {
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>([]);
  const queue = useRef<{ id: string; text: string }[]>([]);
  const busy = useRef(false);

  const change = (id: string, changes: Partial<Outgoing>) => {
    setOutgoing((all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  };

  const deliver = async () => {
    if (busy.current) return;
    busy.current = true;
    for (let next = queue.current[0]; next; next = queue.current[0]) {
      const { id, text } = next;
      change(id, { state: "sending" });
      try {
        await sendMessage(await session(), text, id);
        change(id, { state: "accepted" });
      } catch (error) {
        change(id, { state: isRefusal(error) ? "failed" : "stuck", error });
        if (!isRefusal(error)) break;
      }
      queue.current = queue.current.filter((one) => one.id !== id);
    }
    busy.current = false;
  };

  const latestDeliver = useRef(deliver);
  useEffect(() => {
    latestDeliver.current = deliver;
  });
  const isStuck = outgoing.some(({ state }) => state === "stuck");
  useEffect(() => {
    if (!isStuck) return;
    const timer = setInterval(() => void latestDeliver.current(), RETRY_MS);
    return () => {
      clearInterval(timer);
    };
  }, [isStuck]);

  const enqueue = (id: string, text: string) => {
    if (!queue.current.some((one) => one.id === id)) queue.current.push({ id, text });
    void deliver();
  };

  return {
    outgoing,
    send: (text) => {
      const id = newMessageId();
      setOutgoing((all) => [...all, { id, text, state: "sending", error: null }]);
      enqueue(id, text);
    },
    retry: (id) => {
      const message = outgoing.find((one) => one.id === id);
      if (message) enqueue(id, message.text);
    },
    discard: (id) => {
      queue.current = queue.current.filter((one) => one.id !== id);
      setOutgoing((all) => all.filter((one) => one.id !== id));
    },
  };
}
