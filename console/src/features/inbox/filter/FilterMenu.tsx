import { ActionIcon, Button, Indicator, NativeSelect, Popover, Stack } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { FilterIcon } from "@/components/icons";
import { type Filter, type FilterName, VALUES } from "@/features/inbox/filter/filters";
import type { Listed } from "@/features/inbox/live/listed";
import type { FilterInAddress } from "@/features/inbox/filter/useFilter";
import { keepKeys } from "@/components/keepKeys";

interface FilterMenuProps extends FilterInAddress {
  /** Everything that is open: its tools and agents are what can be chosen. */
  order: readonly Listed[];
}

const IN_MENU = ["kind", "urgency", "type", "audience", "tool", "agent"] as const satisfies FilterName[];

export function FilterMenu({ order, filter, change, clear }: FilterMenuProps) {
  const { t } = useTranslation();
  const active = IN_MENU.filter((name) => filter[name]).length;
  return (
    <Popover position="bottom-end" shadow="md" width={260} trapFocus returnFocus>
      <Indicator label={active} size={16} disabled={active === 0} zIndex={1}>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t("inbox.filter.open", { count: active })}
            title={t("inbox.filter.title")}
          >
            <FilterIcon />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label={t("inbox.filter.title")} onKeyDown={keepKeys}>
        <Choices order={order} filter={filter} change={change} clear={clear} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ order, filter, change, clear }: FilterMenuProps) {
  const { t } = useTranslation();
  const tools = useDistinct(order, filter, "tool");
  const agents = useDistinct(order, filter, "agent");
  const choices: Record<(typeof IN_MENU)[number], { value: string; label: string }[]> = {
    kind: VALUES.kind.map((value) => ({ value, label: t(`inbox.filter.kinds.${value}`) })),
    urgency: VALUES.urgency.map((value) => ({ value, label: t(`inbox.urgency.${value}`) })),
    type: VALUES.type.map((value) => ({ value, label: t(`request.questionType.${value}`) })),
    audience: VALUES.audience.map((value) => ({ value, label: t(`inbox.filter.audiences.${value}`) })),
    tool: tools,
    agent: agents,
  };
  return (
    <Stack gap="xs">
      {IN_MENU.map((name) => (
        <NativeSelect
          key={name}
          size="sm"
          label={t(`inbox.filter.${name}`)}
          data={[{ value: "", label: t("inbox.filter.any") }, ...choices[name]]}
          value={filter[name] ?? ""}
          onChange={(event) => {
            change({ [name]: event.currentTarget.value });
          }}
        />
      ))}
      <Button variant="default" size="sm" onClick={clear}>
        {t("inbox.filter.clear")}
      </Button>
    </Stack>
  );
}

/** The values that open requests have; the one that is chosen stays, although nothing may have it any more. */
function useDistinct(order: readonly Listed[], filter: Filter, name: "tool" | "agent") {
  const chosen = filter[name];
  return useMemo(() => {
    const values = new Set(order.map(({ request }) => request[name]));
    if (chosen) values.add(chosen);
    return [...values]
      .filter(Boolean)
      .sort()
      .map((value) => ({ value, label: value }));
  }, [order, chosen, name]);
}
