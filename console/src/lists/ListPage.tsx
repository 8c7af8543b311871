import { Button, Center, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "@/components/usePageTitle";
import { Notice } from "@/components/notices/Notice";
import { PageLoading } from "@/components/notices/PageLoading";
import classes from "@/lists/ListPage.module.css";
import { QueryProblem } from "@/lists/QueryProblem";
import type { Pages } from "@/lists/usePages";

interface ListPageProps<Item> {
  title: string;
  empty: { title: string; text: string };
  filters?: ReactNode;
  /** Stands above the list, whether or not there is one. */
  above?: ReactNode;
  pages: Pages<Item>;
  children: ReactNode;
}

/** A page that is one list: its filters, its items, and what it says when there are none. */
export function ListPage<Item>({ title, empty, filters, above, pages, children }: ListPageProps<Item>) {
  const { t } = useTranslation();
  usePageTitle(title);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Title order={1} size="h3">
          {title}
        </Title>
        {filters && <div className={classes.filters}>{filters}</div>}
      </div>
      {above}
      {pages.loading ? (
        <PageLoading />
      ) : pages.error ? (
        <QueryProblem error={pages.error} onRetry={pages.refetch} />
      ) : pages.items.length === 0 ? (
        <Notice title={empty.title} text={empty.text} />
      ) : (
        children
      )}
      {pages.more && (
        <Center py="md">
          <Button variant="default" loading={pages.loadingMore} onClick={pages.more}>
            {t("lists.more")}
          </Button>
        </Center>
      )}
    </div>
  );
}
