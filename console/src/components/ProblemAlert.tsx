import { Callout } from "@/components/Callout";
import classes from "@/components/Callout.module.css";
import { useProblemWords } from "@/components/useProblemWords";

export function ProblemAlert({ title, error }: { title: string; error: unknown }) {
  const { what, fix } = useProblemWords(error);
  return (
    <Callout tone="danger" title={title}>
      <p>{what}</p>
      {fix && <p className={classes.fix}>{fix}</p>}
    </Callout>
  );
}
