import { useRef, useState } from 'react'
import { type FieldChoice, maxFieldChoices } from '#contract/masking.ts'
import { Icons } from '#kit/icons.tsx'
import { Button, IconButton } from '#kit/Button.tsx'
import { focusAfter } from '#kit/focus.ts'
import { Segments } from '#kit/Switch.tsx'
import { ErrorText } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { type Action, useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { setLogs, useLogs } from '#client/state/logs.ts'
import './Logs.css'

export const choiceLabels = { keep: 'Keep', mask: 'Mask' } as const

/** Replaces the earlier choice of the same field. */
export function withChoice(
  choices: readonly FieldChoice[],
  choice: FieldChoice,
): readonly FieldChoice[] {
  return [...withoutChoice(choices, choice.field), choice]
}

export function withoutChoice(
  choices: readonly FieldChoice[],
  field: string,
): readonly FieldChoice[] {
  return choices.filter((each) => each.field !== field)
}

/** Saves the choices that apply to all exports. */
export function useSaveChoices(): Action<[readonly FieldChoice[]]> {
  const client = useClient()
  return useAction(async (choices: readonly FieldChoice[]) =>
    setLogs(await client.call('logs.setChoices', { choices: [...choices] })),
  )
}

interface ChoiceListProps {
  label: string
  choices: readonly FieldChoice[]
  /** Of a choice for this export only: saves it. */
  onSave?: (choice: FieldChoice) => void
  onRemove: (choice: FieldChoice) => void
  /** Where the focus goes after a choice is removed. */
  focus: () => HTMLElement | null | undefined
  /** Which exports the choices apply to. */
  scope?: string
}

/** Fields that the user keeps or masks. */
export function ChoiceList({ label, choices, scope, onSave, onRemove, focus }: ChoiceListProps) {
  if (choices.length === 0) return null
  return (
    <ul className="lined framed grid" aria-label={label}>
      {choices.map((choice) => {
        const { field, as } = choice
        const Icon = as === 'keep' ? Icons.Eye : Icons.EyeOff
        return (
          <li className="flex min-h-(--control) items-center gap-3 px-4 text-s" key={field}>
            <span className="inline-flex flex-none items-center gap-2 icon-xs">
              <Icon aria-hidden /> {choiceLabels[as]}
            </span>
            <code className="mono min-h-0 min-w-0 flex-1 wrap-anywhere">
              <Shown text={field} />
            </code>
            {scope !== undefined && <span className="whitespace-nowrap text-dim">{scope}</span>}
            {onSave && (
              <Button
                small
                aria-label={`${choiceLabels[as]} ${field} in all exports`}
                onClick={() => focusAfter(() => onSave(choice), focus)}
              >
                Use for all exports
              </Button>
            )}
            <IconButton
              label={`Remove ${field}`}
              onClick={() => focusAfter(() => onRemove(choice), focus)}
            >
              <Icons.X />
            </IconButton>
          </li>
        )
      })}
    </ul>
  )
}

/** The choices that apply to all exports, with a form that adds one. */
export function SavedChoices() {
  const saved = useLogs((state) => state.choices)
  const [as, setAs] = useState<FieldChoice['as']>('keep')
  const [text, setText] = useState('')
  const [inputError, setInputError] = useState<string | null>(null)
  const save = useSaveChoices()
  const input = useRef<HTMLInputElement>(null)
  const shownError = inputError ?? save.message

  function add(): void {
    const field = text.trim()
    const next = withChoice(saved, { field, as })
    const problem =
      field === ''
        ? 'Enter a field, such as data.loyaltyTier.'
        : next.length > maxFieldChoices
          ? `You can save at most ${maxFieldChoices} fields.`
          : null
    setInputError(problem)
    if (problem === null) {
      save.start(next)
      setText('')
    }
    input.current?.focus()
  }

  return (
    <div className="grid gap-4" role="group" aria-label="Fields for all exports">
      <ChoiceList
        label="Saved fields"
        choices={saved}
        onRemove={({ field }) => save.start(withoutChoice(saved, field))}
        focus={() => input.current}
      />
      <div className="flex flex-wrap items-center gap-4 [&_.input]:flex-[1_1_var(--measure-field)] [&_.input]:text-s">
        <Segments
          label="What to do with the field"
          value={as}
          options={(['keep', 'mask'] as const).map((value) => ({
            value,
            label: choiceLabels[value],
          }))}
          onChange={setAs}
        />
        <input
          ref={input}
          className="input mono"
          aria-label="Field"
          aria-invalid={shownError !== null || undefined}
          aria-describedby={shownError === null ? undefined : 'choice-error'}
          placeholder="data.loyaltyTier"
          value={text}
          maxLength={500}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            setInputError(null)
          }}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
        <Button icon={Icons.Plus} busy={save.busy} onClick={add}>
          Add field
        </Button>
      </div>
      <ErrorText id="choice-error" error={shownError} />
    </div>
  )
}
