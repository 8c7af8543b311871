import { Badge } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "@/features/inbox/detail/AgentWords.module.css";
import detail from "@/features/inbox/detail/RequestDetail.module.css";

/** Frames what the agent wrote, so that nobody takes it for what would run, or for ours. */
export function AgentWords({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section>
      <h3 className={detail.heading}>
        {title}
        <Badge variant="default" size="xs" radius="sm" tt="none" fw={500} c="dimmed">
          {t("request.writtenByAgent")}
        </Badge>
      </h3>
      <div className={classes.frame}>{children}</div>
    </section>
  );
}
