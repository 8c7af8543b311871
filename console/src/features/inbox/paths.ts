export const INBOX_PATH = "/console";

export function requestPath(requestId: string): string {
  return `${INBOX_PATH}/requests/${encodeURIComponent(requestId)}`;
}
