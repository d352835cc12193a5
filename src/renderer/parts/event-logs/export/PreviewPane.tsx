import { Icons } from '#kit/icons.tsx'
import type { LogPreview } from '#contract/logs.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { ErrorNote, LoadFailure, Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { Progress } from '#kit/Progress.tsx'
import { useLogs } from '#client/state/logs.ts'
import { ChoiceList, useSaveChoices, withChoice, withoutChoice } from '../choices.tsx'
import { shareOf } from '../labels.ts'
import { FieldList } from './FieldList.tsx'
import { useCallback, useEffect, useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import { CallError } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'

interface Props {
  state: ReturnType<typeof usePreview>
  redact: boolean
  /** For this export. */
  choices: readonly FieldChoice[]
  onChoose: (choices: readonly FieldChoice[]) => void
  /** The form has errors. */
  invalid: boolean
}

/** What the file would contain, and how the values of each field leave. */
export function PreviewPane({ state, redact, choices, onChoose, invalid }: Props) {
  const { preview, stale, error, retry } = state
  return (
    <section
      className="framed export-preview flex min-h-0 min-w-0 flex-col gap-4 overflow-x-hidden overflow-y-auto bg-bg px-6 pt-5 pb-0 *:flex-none *:[transition:opacity_var(--ease)] data-stale:*:opacity-60"
      aria-label="Preview"
      data-stale={stale || undefined}
    >
      {invalid ? (
        <div className="grid flex-1 place-items-center text-mid">
          Fix the errors to see a preview.
        </div>
      ) : error !== null ? (
        <LoadFailure onRetry={retry}>The preview is not available. {error.message}</LoadFailure>
      ) : preview === null || isCounting(preview) ? (
        <div className="grid flex-1 place-items-center text-mid" role="status">
          {preview === null ? 'Loading preview' : 'Counting deliveries'}
        </div>
      ) : (
        <>
          <PreviewSummary preview={preview} redact={redact} />
          {redact && (preview.fields.length > 0 || choices.length > 0) && (
            <Fields preview={preview} choices={choices} onChoose={onChoose} />
          )}
        </>
      )}
    </section>
  )
}

/** The number is not known yet, so 0 does not mean that none matches. */
export function isCounting({ complete, deliveries }: LogPreview): boolean {
  return !complete && deliveries === 0
}

function PreviewSummary({ preview, redact }: { preview: LogPreview; redact: boolean }) {
  const { complete, examined, deliveries, rehearsals = 0, totalBytes, notes } = preview
  const progress = `${formatCount(examined)} of ${formatCount(deliveries)} checked`
  return (
    <>
      <header className="grid gap-3">
        <p className="baseline flex gap-3 text-l" role="status">
          <b className="text-xl">{formatCount(deliveries)}</b>{' '}
          {deliveries === 1 ? 'delivery' : 'deliveries'}
          {rehearsals > 0 && `, ${plural(rehearsals, 'rehearsal', 'rehearsals')}`}
          <span className="ml-auto">
            {complete ? '' : 'about '}
            <b className="text-xl">{formatSize(totalBytes)}</b>
          </span>
        </p>
        {!complete && (
          <>
            <Progress label="Checked" share={shareOf(examined, deliveries)} words={progress} />
            <p className="text-s text-dim">{progress}</p>
          </>
        )}
      </header>
      {deliveries === 0 && rehearsals === 0 && (
        <Note tone="warning">No deliveries match. Select others, or another time range.</Note>
      )}
      {notes.map((note) => (
        <Note key={note} tone="info">
          <Shown text={note} max={1000} />
        </Note>
      ))}
      {!redact && (
        <div className="flex gap-4 rounded-md bg-tone-soft px-5 py-4 icon-m" data-tone="invalid">
          <Icons.ShieldOff className="text-tone" />
          <p>
            <b className="text-tone">Nothing is redacted.</b> Every value is exported as it is.
          </p>
        </div>
      )}
    </>
  )
}

function fieldList(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.masked-fields')
}

function Fields({
  preview: { fields, texts, complete },
  choices,
  onChoose,
}: Pick<Props, 'choices' | 'onChoose'> & { readonly preview: LogPreview }) {
  const saved = useLogs((state) => state.choices)
  const save = useSaveChoices()
  const sum = (of: 'kept' | 'aliases' | 'masked'): number =>
    fields.reduce((total, field) => total + field[of], 0)
  // A choice for this export replaces the saved one.
  const savedOnly = saved.filter(({ field }) => !choices.some((choice) => choice.field === field))
  return (
    <>
      <h3 className="flex items-center gap-3 text-m">
        <Icons.ShieldCheck className="text-valid" /> {formatCount(sum('kept'))} as received,{' '}
        {plural(sum('aliases'), 'alias', 'aliases')}, {formatCount(sum('masked'))} masked
        {complete ? '' : ' so far'}
      </h3>
      <ErrorNote error={save.error} />
      <div
        className="grid max-h-[calc(4_*_var(--control))] gap-2 overflow-auto empty:hidden"
        data-scrolls
      >
        <ChoiceList
          label="Fields for this export"
          scope="this export"
          choices={choices}
          focus={fieldList}
          onSave={(choice) => {
            save.start(withChoice(saved, choice))
            onChoose(withoutChoice(choices, choice.field))
          }}
          onRemove={({ field }) => onChoose(withoutChoice(choices, field))}
        />
        <ChoiceList
          label="Fields for all exports"
          scope="all exports"
          choices={savedOnly}
          focus={fieldList}
          onRemove={({ field }) => save.start(withoutChoice(saved, field))}
        />
      </div>
      <FieldList
        fields={fields}
        texts={texts}
        choices={[...savedOnly, ...choices]}
        onChoose={(choice) => onChoose(withChoice(choices, choice))}
      />
    </>
  )
}

/** The input of a preview without its key. */
export type PreviewRequest = Omit<CallInput<'logs.preview'>, 'key'>

interface PreviewResult {
  readonly requestKey: string
  readonly preview: LogPreview | null
  readonly error: { readonly code: string | null; readonly message: string } | null
}

/** How long to wait after the last change before the first call, in milliseconds. */
const debounce = 220
/** How long to wait between two calls for the same preview, in milliseconds. */
const pollInterval = 120

/** A field would leave the list until it is found again, with the focus on its buttons. */
function isWorse(next: LogPreview, before: LogPreview | null): boolean {
  return !next.complete && next.fields.length < (before?.fields.length ?? 0)
}

/**
 * Previews the content of an export. Repeats the call with the same key until the preview is complete. Calls stop when `request` is null or the
 * component unmounts. The engine then ends the preview automatically. `saved`: the choices of the engine, which apply to each preview.
 */
export function usePreview(request: PreviewRequest | null, saved: readonly FieldChoice[]) {
  const client = useClient()
  const [attempt, setAttempt] = useState(0)
  const requestKey = request === null ? '' : `${attempt} ${JSON.stringify([request, saved])}`
  const [result, setResult] = useState<PreviewResult>({
    requestKey: '',
    preview: null,
    error: null,
  })

  useEffect(() => {
    if (request === null) return undefined
    let current = true
    let timer = 0
    const key = crypto.randomUUID()
    const load = (): void => {
      client.call('logs.preview', { ...request, key }).then(
        (preview) => {
          if (!current) return
          setResult((before) =>
            isWorse(preview, before.preview) ? before : { requestKey, preview, error: null },
          )
          if (!preview.complete) timer = window.setTimeout(load, pollInterval)
        },
        (error: unknown) => {
          if (!current) return
          const code = error instanceof CallError ? error.code : null
          setResult({ requestKey, preview: null, error: { code, message: messageOf(error) } })
        },
      )
    }
    timer = window.setTimeout(load, debounce)
    return () => {
      current = false
      clearTimeout(timer)
    }
    // `requestKey` stands for `request`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, requestKey])

  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  const stale = result.requestKey !== requestKey
  // Of an earlier request while it is stale.
  const { preview } = result
  return { preview, stale, error: stale ? null : result.error, retry }
}
