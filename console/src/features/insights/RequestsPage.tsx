import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { listRequests, type RequestQuery } from "@/api/insights";
import { isInWords } from "@/api/requestKinds";
import type { Request } from "@/api/types";
import { PlainText } from "@/components/text/PlainText";
import { FILTERS, isFilter, queryOf } from "@/features/insights/filters";
import page from "@/features/insights/InsightsPage.module.css";
import { ListPage } from "@/lists/ListPage";
import classes from "@/lists/ListPage.module.css";
import { usePages } from "@/lists/usePages";
import { formatMoment } from "@/time/format";

/** The requests that a figure counts: the address says which. */
export function RequestsPage() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const query: RequestQuery = queryOf(search);
  const pages = usePages(["counted-requests", query], (cursor) => listRequests(query, cursor));
  const chosen = FILTERS.filter((name) => search.has(name));
  return (
    <ListPage
      title={t("requests.title")}
      empty={{ title: t("requests.empty"), text: t("requests.emptyText") }}
      pages={pages}
      filters={<Link to="/console/insights">{t("requests.back")}</Link>}
    >
      {chosen.length > 0 && (
        <dl className={page.filters} aria-label={t("requests.filters")}>
          {chosen.map((name) => (
            <div key={name}>
              <dt>{t(`requests.filter.${name}`)}</dt>
              <dd>
                <FilterValue name={name} value={search.get(name) ?? ""} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <ul className={classes.list} aria-label={t("requests.title")}>
        {pages.items.map((request) => (
          <Row key={request.id} request={request} />
        ))}
      </ul>
    </ListPage>
  );
}

function FilterValue({ name, value }: { name: string; value: string }) {
  const { t, i18n } = useTranslation();
  if (name.endsWith("_from") || name.endsWith("_to")) {
    return Number.isNaN(Date.parse(value)) ? value : formatMoment(value, i18n.language);
  }
  if (value === "true") return t("requests.yes");
  return <PlainText text={isFilter(name) ? value : ""} />;
}

function Row({ request }: { request: Request }) {
  const { t, i18n } = useTranslation();
  const asked = (isInWords(request) && request.question) || request.tool;
  const outcome = request.decision ? request.decision.type : request.status;
  return (
    <li className={classes.card}>
      <Link to={`/console/requests/${encodeURIComponent(request.id)}`}>
        <PlainText text={asked || request.id} />
      </Link>
      <p className={classes.meta}>
        <span>{t(`requests.outcome.${outcome}`)}</span>
        {request.decided_by?.id && (
          <span>
            <PlainText text={request.decided_by.id} />
          </span>
        )}
        <time dateTime={request.created_at}>{formatMoment(request.created_at, i18n.language)}</time>
      </p>
    </li>
  );
}
