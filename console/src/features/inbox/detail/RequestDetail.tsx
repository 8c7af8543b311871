import { useMe } from "@/api/useMe";
import type { Request } from "@/api/types";
import { Conversation } from "@/features/inbox/context/Conversation";
import { EarlierDecisions } from "@/features/inbox/context/EarlierDecisions";
import { DecisionPanel } from "@/features/inbox/decide/DecisionPanel";
import { type FormKind, isEmpty, useDraft } from "@/features/inbox/decide/drafts";
import { isEndedBy } from "@/features/inbox/decide/outcome/ending";
import { Outcome } from "@/features/inbox/decide/outcome/Outcome";
import { useClaim } from "@/features/inbox/decide/useClaim";
import { useDecide } from "@/features/inbox/decide/useDecide";
import classes from "@/features/inbox/detail/RequestDetail.module.css";
import { useHeld } from "@/features/inbox/detail/useHeld";
import { useSettledValue } from "@/features/inbox/detail/useSettledValue";
import { WhatIsAsked } from "@/features/inbox/detail/WhatIsAsked";
import { useTranscript } from "@/transcript/useTranscript";

interface RequestDetailProps {
  request: Request;
  onSettled: (request: Request) => void;
  /** Null when there is nothing to go on to. */
  onNext: (() => void) | null;
}

/** Long enough that moving through the list with j and k opens no conversation on the way. */
const BEFORE_CONVERSATION_MS = 150;

/** Everything an operator needs to decide, in full; below it the decision, or how it ended; beside it where it comes from. */
export function RequestDetail(props: RequestDetailProps) {
  // What was typed belongs to one request, whoever shows this.
  return <Detail key={props.request.id} {...props} />;
}

function Detail({ request: listed, onSettled, onNext }: RequestDetailProps) {
  const me = useMe().data;
  const { transcript, connection } = useTranscript(useSettledValue(listed.session_id, BEFORE_CONVERSATION_MS));
  const told = transcript.requests.find(({ id }) => id === listed.id);
  const { draft, change, discard } = useDraft(listed.id);
  const deciding = useDecide(listed.id, me, (settled) => {
    discard();
    onSettled(settled);
  });
  // Often the feed tells of one's own decision before its call is answered: the answer says all that came of it.
  const known = useHeld(newest(listed, told), deciding.isPending);
  const resting = restingForm(known);
  const form = known.status === "open" ? (draft.form ?? resting) : resting;
  const claim = useClaim(known, me, form !== null && (form !== resting || !isEmpty(draft)));
  const request = useHeld(newest(known, claim.request ?? undefined), deciding.isPending);
  const isOpen = request.status === "open" && !deciding.isSuccess;
  const settles = request.status === "indeterminate" && !deciding.isSuccess;
  const shown =
    deciding.isSuccess && deciding.data.request.id === request.id ? newest(request, deciding.data.request) : request;
  return (
    <article className={classes.detail}>
      <div className={classes.columns}>
        <WhatIsAsked request={shown} />
        <aside className={classes.aside}>
          <Conversation request={request} transcript={transcript} connection={connection} />
          <EarlierDecisions requests={transcript.requests} except={request.id} />
        </aside>
        {!isOpen && !settles && (
          <Outcome
            request={shown}
            me={me}
            lost={deciding.data?.lost ?? false}
            mine={deciding.isSuccess || (deciding.isError && isEndedBy(me, request))}
            draft={draft}
            others={deciding.data?.others ?? []}
            onNext={onNext}
          />
        )}
        {(isOpen || settles) && (
          <DecisionPanel
            request={request}
            deciding={deciding}
            claim={claim}
            form={form}
            resting={resting}
            draft={draft}
            onChange={change}
          />
        )}
      </div>
    </article>
  );
}

/** A question is there to be answered, and a doubt to be settled: their forms need no button first. */
function restingForm(request: Request): FormKind | null {
  if (request.status === "indeterminate") return "settle";
  switch (request.kind) {
    case "settlement":
      return "settle";
    case "question":
      return request.allowed.includes("respond") ? "respond" : null;
    case "approval":
      return null;
  }
}

/** The list, the conversation and one's own calls all tell of a request; the highest version is how it is now. */
function newest(request: Request, ...others: (Request | undefined)[]): Request {
  return others.reduce<Request>((best, other) => (other && other.version > best.version ? other : best), request);
}
