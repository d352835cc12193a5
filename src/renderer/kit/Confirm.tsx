import { create } from 'zustand'
import { useAction } from './use-action.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorText } from './Note.tsx'

interface Question {
  readonly title: string
  readonly description: string
  readonly action: string
  /** The dialog shows its error, and closes once it succeeded. */
  readonly run: () => Promise<void> | void
}

const useQuestion = create<{ readonly question: Question | null }>(() => ({ question: null }))

/** Asks for confirmation before a destructive action. */
export function confirm(question: Question): void {
  useQuestion.setState({ question })
}

export function closeConfirm(): void {
  useQuestion.setState({ question: null })
}

/** Shows the question of `confirm`. */
export function ConfirmHost() {
  const question = useQuestion((state) => state.question)
  return question !== null && <Confirm question={question} />
}

function Confirm({ question }: { question: Question }) {
  const run = useAction(async () => {
    await question.run()
    if (useQuestion.getState().question === question) closeConfirm()
  })
  return (
    <Dialog open onClose={closeConfirm} title={question.title} description={question.description}>
      <ErrorText error={run.error} />
      <div className="dialog-actions">
        {/* First, so that it has the focus. */}
        <Button onClick={closeConfirm}>Cancel</Button>
        <Button kind="danger" busy={run.busy} onClick={() => run.start()}>
          {question.action}
        </Button>
      </div>
    </Dialog>
  )
}
