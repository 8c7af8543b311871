import type { Place } from "@/features/inbox/edit/values/places";

/** What every input of the form is given: how to say what was typed, and what is wrong where. */
export interface Editing {
  disabled: boolean;
  /** What inputs show that the value does not tell, by path. */
  typed: Readonly<Record<string, string>>;
  /** Sentences, by path. */
  faults: Readonly<Record<string, string>>;
  onEnter: (place: Place, value: unknown, typed?: string) => void;
  onUnread: (place: Place, text: string) => void;
}
