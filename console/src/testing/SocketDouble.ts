import { act } from "@testing-library/react";

/** Stands in for WebSocket, which jsdom would really open. A test finds the socket by its address and plays the server. */
export class SocketDouble {
  private static all: SocketDouble[] = [];

  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  private isOpen = false;
  private isClosed = false;

  readonly url: string;

  constructor(url: string) {
    this.url = url.replace(/^ws:\/\/[^/]+/, "");
    SocketDouble.all.push(this);
  }

  /** Every socket that was ever opened at a path, with its parameters. */
  static opened(path: string): string[] {
    return SocketDouble.all.filter(({ url }) => url.startsWith(path)).map(({ url }) => url);
  }

  /** The socket that is in use now at `path`. */
  static at(path: string): SocketDouble {
    const socket = SocketDouble.all.findLast(({ url, isClosed }) => url.startsWith(path) && !isClosed);
    if (!socket) throw new Error(`No open socket at ${path}; opened: ${SocketDouble.opened("").join(", ")}`);
    return socket;
  }

  static forgetAll(): void {
    SocketDouble.all = [];
  }

  /** Sends frames, and waits until the page has taken them. */
  async send(...frames: unknown[]): Promise<void> {
    await act(async () => {
      if (!this.isOpen) this.onopen?.();
      this.isOpen = true;
      for (const frame of frames) this.onmessage?.({ data: JSON.stringify(frame) });
      await new Promise((taken) => setTimeout(taken, 30));
    });
  }

  /** Breaks the connection. */
  async drop(): Promise<void> {
    await act(async () => {
      this.isClosed = true;
      this.onclose?.();
      await Promise.resolve();
    });
  }

  close(): void {
    this.isClosed = true;
  }
}
