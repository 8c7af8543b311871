import app from "@/i18n/zh/app.json";
import audit from "@/i18n/zh/audit.json";
import chat from "@/i18n/zh/chat.json";
import components from "@/i18n/zh/components.json";
import detail from "@/i18n/zh/detail.json";
import events from "@/i18n/zh/events.json";
import inbox from "@/i18n/zh/inbox.json";
import insights from "@/i18n/zh/insights.json";
import transcript from "@/i18n/zh/transcript.json";
import lists from "@/i18n/zh/lists.json";
import sessions from "@/i18n/zh/sessions.json";
import tickets from "@/i18n/zh/tickets.json";
import knowledge from "@/i18n/zh/knowledge.json";
import alerts from "@/i18n/zh/alerts.json";
import bulk from "@/i18n/zh/bulk.json";
import keys from "@/i18n/zh/keys.json";

/** Every Chinese text: one file per feature. */
const zh = {
  ...app,
  ...audit,
  ...chat,
  ...components,
  ...detail,
  ...events,
  ...inbox,
  ...insights,
  ...transcript,
  ...lists,
  ...sessions,
  ...tickets,
  ...knowledge,
  ...alerts,
  ...bulk,
  ...keys,
};

export default zh;
