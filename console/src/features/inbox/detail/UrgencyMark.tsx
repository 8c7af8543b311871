import { useTranslation } from "react-i18next";
import type { Request } from "@/api/types";
import classes from "@/features/inbox/detail/UrgencyMark.module.css";

/** Names the urgency. Only what is urgent has colour, so that it stands out. */
export function UrgencyMark({ urgency }: { urgency: Request["urgency"] }) {
  const { t } = useTranslation();
  return (
    <span className={classes.urgency} data-urgency={urgency}>
      {t(`inbox.urgency.${urgency}`)}
    </span>
  );
}
