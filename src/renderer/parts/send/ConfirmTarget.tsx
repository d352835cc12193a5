import { Button } from '#kit/Button.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { shortText } from '#kit/text/visible.ts'
import { create } from 'zustand'
import { CallError, type Client } from '#client/client.ts'

const texts = {
  target: {
    title: 'Send deliveries outside your network?',
    description:
      'You have not sent anything to this address yet. A delivery contains guest data and a signature that stays valid. The recipient can read it and send it again.',
    once: true,
    no: 'Do not send',
    yes: 'Always send to this address',
  },
  server: {
    title: 'Use a public tunnel server?',
    description:
      'Volunteers run this server. Its operator can read all traffic through the tunnel. To avoid this, use your own server or another provider.',
    once: true,
    no: 'Cancel',
    yes: 'Open tunnel',
  },
  handler: {
    title: 'Rehearse a handler outside your network?',
    description:
      'The test cases include hostile requests. Continue only if the handler is your own.',
    once: false,
    no: 'Cancel',
    yes: 'Send test cases there',
  },
  app: {
    title: 'Rehearse an app outside your network?',
    description: 'The test cases include forged redirects. Continue only if the app is your own.',
    once: false,
    no: 'Cancel',
    yes: 'Test this app',
  },
} as const

/** Asks before anything is sent to a public server. The button that declines has the focus. */
export function ConfirmTarget() {
  const question = useTargetQuestion((state) => state.question)
  if (question === null) return null
  const { title, description, once, no, yes } = texts[question.kind]
  return (
    <Dialog open onClose={() => question.respond(false)} title={title} description={description}>
      <p className="mono mt-5 rounded-md bg-warning-soft px-5 py-4 font-semibold wrap-anywhere select-text">
        {shortText(question.origin, 300)}
      </p>
      {once && <p className="mt-4 text-dim">Tabscope asks about this address only once.</p>}
      <div className="dialog-actions">
        <Button onClick={() => question.respond(false)}>{no}</Button>
        <Button kind="primary" onClick={() => question.respond(true)}>
          {yes}
        </Button>
      </div>
    </Dialog>
  )
}

interface Question {
  readonly kind: keyof typeof texts
  /** Outside the network. */
  readonly origin: string
  readonly respond: (yes: boolean) => void
}

/** The question that the dialog shows; null if there is none. */
export const useTargetQuestion = create<{ readonly question: Question | null }>(() => ({
  question: null,
}))

/**
 * Runs work that may send to a target for the first time. If the target is public and not confirmed yet, asks the user, stores the confirmation
 * and runs the work again. Returns null if the user declined. Rejects if `work` rejects.
 */
export async function withConfirmation<T>(
  client: Client,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const origin = unconfirmedOrigin(error)
    if (origin === null) throw error
    return (await confirmTarget(client, origin)) ? work() : null
  }
}

/** The unconfirmed target if the error is about one; null otherwise. */
export function unconfirmedOrigin(error: unknown): string | null {
  return addressIn(error, 'target_unconfirmed', 'origin')
}

/** The unconfirmed public tunnel server if the error is about one; null otherwise. */
export function unconfirmedServer(error: unknown): string | null {
  return addressIn(error, 'server_unconfirmed', 'server')
}

function addressIn(error: unknown, code: string, detail: string): string | null {
  if (!(error instanceof CallError) || error.code !== code) return null
  const address = error.details?.[detail]
  return typeof address === 'string' ? address : null
}

/** Asks whether deliveries may be sent to a target, and stores a confirmation. */
export async function confirmTarget(client: Client, origin: string): Promise<boolean> {
  const yes = await ask({ kind: 'target', origin })
  if (yes) await client.call('targets.set', { url: origin, confirmed: true })
  return yes
}

/** Asks whether a public tunnel server may be used. */
export function confirmServer(server: string): Promise<boolean> {
  return ask({ kind: 'server', origin: server })
}

/** Declines the open question. */
export function withdrawQuestion(): void {
  useTargetQuestion.getState().question?.respond(false)
}

/** Asks the user. */
export function ask(about: Omit<Question, 'respond'>): Promise<boolean> {
  withdrawQuestion()
  return new Promise((resolve) => {
    const question: Question = {
      ...about,
      respond(yes) {
        if (useTargetQuestion.getState().question === question) {
          useTargetQuestion.setState({ question: null })
        }
        resolve(yes)
      },
    }
    useTargetQuestion.setState({ question })
  })
}
