import { act } from "@testing-library/react";

/** Stands in for EventSource, which jsdom does not have. A test finds the stream by its address and plays the server. */
export class StreamDouble {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  private static all: StreamDouble[] = [];

  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  readyState = StreamDouble.CONNECTING;

  constructor(readonly url: string) {
    StreamDouble.all.push(this);
  }

  static opened(url: string): StreamDouble[] {
    return StreamDouble.all.filter((stream) => stream.url === url);
  }

  /** The stream that is in use now at `url`. */
  static at(url: string): StreamDouble {
    const stream = StreamDouble.opened(url).findLast(({ readyState }) => readyState !== StreamDouble.CLOSED);
    if (!stream)
      throw new Error(`No open stream at ${url}; open: ${StreamDouble.all.map((one) => one.url).join(", ")}`);
    return stream;
  }

  static forgetAll(): void {
    StreamDouble.all = [];
  }

  connect(): void {
    act(() => {
      this.readyState = StreamDouble.OPEN;
      this.onopen?.();
    });
  }

  send(...frames: unknown[]): void {
    if (this.readyState === StreamDouble.CONNECTING) this.connect();
    act(() => {
      for (const frame of frames) this.onmessage?.({ data: JSON.stringify(frame) });
    });
  }

  /** Breaks the connection; `forGood` is how EventSource takes an error answer: it does not try again. */
  fail({ forGood = false } = {}): void {
    act(() => {
      this.readyState = forGood ? StreamDouble.CLOSED : StreamDouble.CONNECTING;
      this.onerror?.();
    });
  }

  close(): void {
    this.readyState = StreamDouble.CLOSED;
  }
}
