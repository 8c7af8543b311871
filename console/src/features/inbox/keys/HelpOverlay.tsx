import { Kbd } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "@/components/Dialog";
import classes from "@/features/inbox/keys/HelpOverlay.module.css";
import { KEYS } from "@/features/inbox/keys/keys";

/** All keys at a glance. The key that opens it closes it. */
export function HelpOverlay({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size="lg"
      title={t("keys.title")}
      closeLabel={t("keys.close")}
      onKeyDown={({ key }) => {
        if (key === "?") onClose();
      }}
    >
      <div className={classes.groups}>
        {(["list", "decide", "together", "page"] as const).map((group) => (
          <section key={group}>
            <h3 className={classes.heading}>{t(`keys.groups.${group}`)}</h3>
            <dl className={classes.keys}>
              {KEYS[group].map(([key, act]) => (
                <div key={act} className={classes.key}>
                  <dt>
                    <Kbd>{key}</Kbd>
                  </dt>
                  <dd>{t(`keys.${act}`)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={classes.note}>{t("keys.note")}</p>
    </Dialog>
  );
}
