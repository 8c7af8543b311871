import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useEventWords } from "@/components/useEventWords";
import classes from "@/features/audit/Audit.module.css";
import { DAYS, NAMES, TEXTS } from "@/features/audit/filter";

/** What to show. It is in the address, so that a view can be kept and sent on. */
export function AuditFilters() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const name = search.get("name") ?? "";
  const words = useEventWords();
  const labelOf = (one: string) => [words(one), one].filter(Boolean).join(" · ");
  const names = [...new Set([...NAMES, ...(name ? [name] : [])])];
  return (
    <form
      className={classes.filters}
      aria-label={t("audit.filters")}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = new URLSearchParams();
        for (const [key, value] of new FormData(event.currentTarget)) {
          if (typeof value === "string" && value.trim()) wanted.set(key, value.trim());
        }
        setSearch(wanted);
      }}
    >
      <NativeSelect
        name="name"
        label={t("audit.what")}
        defaultValue={name}
        data={[{ value: "", label: t("audit.all") }, ...names.map((one) => ({ value: one, label: labelOf(one) }))]}
      />
      {TEXTS.map((field) => (
        <TextInput key={field} name={field} label={t(`audit.by.${field}`)} defaultValue={search.get(field) ?? ""} />
      ))}
      {DAYS.map((field) => (
        <TextInput
          key={field}
          name={field}
          type="date"
          label={t(`audit.by.${field}`)}
          defaultValue={search.get(field) ?? ""}
        />
      ))}
      <div className={classes.buttons}>
        <Button type="submit">{t("audit.show")}</Button>
        {search.size > 0 && (
          <Button
            variant="subtle"
            onClick={() => {
              setSearch({});
            }}
          >
            {t("audit.clear")}
          </Button>
        )}
      </div>
    </form>
  );
}
