import { useNetwork } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { Connection } from "@/api/live/useEventStream";
import classes from "@/components/notices/ConnectionBanner.module.css";

export function ConnectionBanner({ connection }: { connection: Connection }) {
  const { t } = useTranslation();
  const { online } = useNetwork();
  // The element stays, so that a screen reader notices when its text appears.
  return (
    <div role="status" className={classes.place}>
      {connection === "down" && (
        <p className={classes.banner}>{t(online ? "connection.down" : "connection.offline")}</p>
      )}
    </div>
  );
}
