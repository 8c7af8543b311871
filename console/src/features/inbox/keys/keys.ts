/** Every key of the inbox, in the order in which the help shows them. The detail answers to those of `decide`. */

export const KEYS = {
  list: [
    ["j", "down"],
    ["k", "up"],
    ["Enter", "open"],
    ["Esc", "leave"],
    ["/", "search"],
  ],
  decide: [
    ["a", "approve"],
    ["e", "edit"],
    ["r", "reject"],
    ["c", "claim"],
    ["1 – 9", "option"],
    ["Ctrl + Enter", "submit"],
  ],
  together: [
    ["x", "mark"],
    ["Shift + X", "alike"],
    ["Shift + Enter", "decideMarked"],
  ],
  page: [["?", "help"]],
} as const;

/** What the foot of the list reminds of. */
export const SHORT_HELP = [
  ["j k", "move"],
  ["Enter", "open"],
  ["x", "mark"],
  ["/", "search"],
  ["?", "help"],
] as const;
