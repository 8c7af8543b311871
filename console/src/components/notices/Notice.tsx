import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface NoticeProps {
  title: string;
  /** 1 where the notice is the whole page. */
  order?: 1 | 2;
  text?: string;
  /** Set when something went wrong, so that a screen reader says it at once. */
  alert?: boolean;
  children?: ReactNode;
}

/** A centred message in place of a page's content: empty, missing, failed. */
export function Notice({ title, order = 2, text, alert = false, children }: NoticeProps) {
  return (
    <Stack align="center" gap="xs" px="md" py={72} maw={440} mx="auto" ta="center" role={alert ? "alert" : undefined}>
      <Title order={order} size="h4">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" size="sm">
          {text}
        </Text>
      )}
      {children && (
        <Stack align="center" gap="sm" mt="xs">
          {children}
        </Stack>
      )}
    </Stack>
  );
}
