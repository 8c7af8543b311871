import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { signInUrl } from "@/api/useMe";
import { Notice } from "@/components/notices/Notice";

/** In place of the inbox for somebody who is not, or no longer, let in. It comes back by itself after a sign-in elsewhere. */
export function NotAllowed({ reason }: { reason: "signedOut" | "forbidden" }) {
  const { t } = useTranslation();
  return (
    <Notice order={1} alert title={t(`inbox.${reason}.title`)} text={t(`inbox.${reason}.text`)}>
      <Button component="a" href={signInUrl()}>
        {t(`inbox.${reason}.signIn`)}
      </Button>
    </Notice>
  );
}
