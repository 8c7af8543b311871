import { ActionIcon, Kbd, TextInput } from "@mantine/core";
import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { CloseIcon, SearchIcon } from "@/components/icons";

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
  field: RefObject<HTMLInputElement | null>;
}

/** The search. What is typed is kept here as well: the address follows a moment later, and must not pull the caret along. */
export function SearchField({ value, onChange, field }: SearchFieldProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState({ typed: value, told: value });
  // The address changed by itself, as by the button that clears all filters.
  if (value !== draft.told)
    setDraft(value === draft.typed.trim() ? { ...draft, told: value } : { typed: value, told: value });
  const change = (typed: string) => {
    setDraft({ ...draft, typed });
    onChange(typed.trim());
  };
  return (
    <TextInput
      ref={field}
      type="search"
      role="searchbox"
      flex={1}
      miw={0}
      aria-label={t("inbox.search.label")}
      aria-keyshortcuts="/"
      placeholder={t("inbox.search.placeholder")}
      leftSection={<SearchIcon />}
      rightSection={
        draft.typed ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size="sm"
            aria-label={t("inbox.search.clear")}
            onClick={() => {
              change("");
              field.current?.focus();
            }}
          >
            <CloseIcon />
          </ActionIcon>
        ) : (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        )
      }
      value={draft.typed}
      onChange={(event) => {
        change(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        // Escape clears first, and leaves when there is nothing to clear; Enter goes on to the list.
        if (event.key === "Enter" || (event.key === "Escape" && draft.typed === "")) event.currentTarget.blur();
        else if (event.key === "Escape") change("");
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
