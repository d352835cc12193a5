import { Icons } from '#kit/icons.tsx'
import { type ReactNode, useEffect, useRef } from 'react'
import type { RehearsalCase } from '#catalogue/rehearsal/define.ts'
import type { Rehearsal } from '#contract/rehearsal.ts'
import { plural } from '#shared/text/format.ts'
import { Button } from '#kit/Button.tsx'
import { Fold, Card } from '#kit/Page.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { Checkbox } from '#kit/Field.tsx'
import { messageOf } from '#kit/use-action.ts'
import { SubmittedContext, useDraft } from '#kit/use-draft.tsx'
import type { Form } from '#kit/use-form.ts'
import { rehearsalAddress } from '#client/addresses/rehearse.ts'
import { setRehearsal } from '#client/state/rehearsals.ts'
import { ask, unconfirmedOrigin } from '#parts/send/ConfirmTarget.tsx'
import { isGate } from './draft.ts'
import { levelMeanings } from './labels.tsx'

/**
 * The form of a rehearsal. It starts one and opens its page, and asks before a target outside the network.
 *
 * @param errorsOf the errors of the fields
 * @param kind what is rehearsed
 * @param call starts the run, also at a target outside the network if `allowTarget` is true
 */
export function useStartForm<D extends object>(
  initial: () => D,
  errorsOf: (draft: D) => { readonly [N in keyof D]?: string | null },
  kind: 'handler' | 'app',
  call: (draft: D, allowTarget: boolean) => Promise<Rehearsal>,
) {
  return useDraft(initial, errorsOf, async (draft) => {
    const run = await call(draft, false).catch(async (error: unknown) => {
      const origin = unconfirmedOrigin(error)
      if (origin === null) throw error
      return (await ask({ kind, origin })) ? call(draft, true) : null
    })
    if (run === null) return
    setRehearsal(run)
    location.assign(rehearsalAddress(run.id))
  })
}

interface FrameProps {
  form: Pick<Form<object>, 'busy' | 'error' | 'submit' | 'submitted' | 'shown'>
  /** The error of the start that a field shows; null: it is shown below the form. */
  fieldError?: string | null
  caseCount: number
  /** Follows the number of cases. */
  summary: string
  children: ReactNode
}

/** The fields of a form that starts a rehearsal and its button. */
export function StartFormFrame(props: FrameProps) {
  const { form, fieldError = null, caseCount, summary, children } = props
  const { busy, error, submitted } = form
  const element = useRef<HTMLFormElement>(null)
  // The first field with an error gets the focus.
  useEffect(() => {
    if (submitted || fieldError !== null) {
      element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    }
  }, [submitted, fieldError])
  return (
    <form
      ref={element}
      className="grid gap-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <SubmittedContext value={submitted}>{children}</SubmittedContext>
      {error !== null && fieldError === null && (
        <Note tone="invalid" alert>
          <Shown text={messageOf(error)} />
        </Note>
      )}
      <div className="flex items-center gap-5">
        <Button kind="primary" type="submit" busy={busy} icon={Icons.Play}>
          Start rehearsal
        </Button>
        <span className="text-s text-dim">
          {plural(caseCount, 'case', 'cases')}
          {summary}
        </span>
      </div>
    </form>
  )
}

type SelectableCase = Pick<RehearsalCase, 'id' | 'title' | 'level'> &
  Partial<Pick<RehearsalCase, 'group' | 'needsSecret' | 'needsObserver' | 'load'>>

interface CasesProps {
  groups: readonly { readonly label: string; readonly cases: readonly SelectableCase[] }[]
  /** IDs of the selected cases. */
  selected: ReadonlySet<string>
  error: string | null | undefined
  onChange: (cases: ReadonlySet<string>) => void
  children?: ReactNode
}

/** The cases to run, by group. `children`: below them. */
export function CasesCard({ groups, selected, error, onChange, children }: CasesProps) {
  const isComplete = groups.every(({ cases }) => cases.every(({ id }) => selected.has(id)))
  return (
    <Card
      title="Cases"
      note={
        isComplete
          ? 'All cases are selected. Only a complete run gets a grade.'
          : 'A run of selected cases gets no grade.'
      }
    >
      {groups.map(({ label, cases }) => (
        <CaseGroup
          key={label}
          label={label}
          cases={cases}
          selected={selected}
          onChange={onChange}
        />
      ))}
      {children}
      <ErrorNote error={error} />
    </Card>
  )
}

interface CaseGroupProps {
  label: string
  cases: readonly SelectableCase[]
  selected: ReadonlySet<string>
  onChange: (cases: ReadonlySet<string>) => void
}

function CaseGroup({ label, cases, selected, onChange }: CaseGroupProps) {
  const optional = cases.filter((each) => !isGate(each))
  const count = cases.filter(({ id }) => selected.has(id)).length
  const set = (changed: readonly SelectableCase[], on: boolean): void => {
    const next = new Set(selected)
    for (const { id } of changed) {
      if (on) next.add(id)
      else next.delete(id)
    }
    onChange(next)
  }
  if (cases.length === 0) return null
  return (
    <Fold
      summary={
        <>
          {label}
          <span className="text-s font-normal text-dim">
            {count} of {cases.length}
          </span>
        </>
      }
    >
      <ul className="grid gap-1" aria-label={label}>
        {optional.length > 1 && (
          <li>
            <label className="flex items-center gap-4 text-s font-semibold">
              <input
                type="checkbox"
                checked={count === cases.length}
                ref={(input) => {
                  if (input) input.indeterminate = count > 0 && count < cases.length
                }}
                onChange={({ target }) => set(optional, target.checked)}
              />
              All of {label}
            </label>
          </li>
        )}
        {cases.map((each) => (
          <li key={each.id}>
            <label className="baseline flex gap-4 text-s [&>input]:flex-none">
              <Checkbox
                checked={selected.has(each.id)}
                disabled={isGate(each)}
                onChange={(checked) => set([each], checked)}
              />
              <span className="mono w-9 flex-none">{each.id}</span>
              <span className="min-h-0 min-w-0 flex-1">
                {each.title}
                {isGate(each) && <span className="text-dim">, always runs</span>}
                {each.needsSecret && <span className="text-dim">, needs a secret</span>}
                {each.needsObserver && <span className="text-dim">, needs an observer</span>}
                {each.load && <span className="text-dim">, only with load</span>}
              </span>
              <span className="tag" data-tone="unsigned" title={levelMeanings[each.level]}>
                {each.level}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </Fold>
  )
}
