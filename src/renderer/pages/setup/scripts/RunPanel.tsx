import { useMemo, useState } from 'react'
import type { Delivery } from '#contract/models.ts'
import type { ScriptResult, ScriptRun } from '#contract/scripts.ts'
import { changedHeaders } from '#shared/diff/headers.ts'
import { formatDuration } from '#shared/text/format.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient, useQuery, useRefresh } from '#client/use-client.ts'
import { modKey } from '#kit/text/key-labels.ts'
import { useDeliveries } from '#client/state/deliveries.ts'
import { Button } from '#kit/Button.tsx'
import { CodeBlock } from '#kit/CodeBlock.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { Field } from '#kit/Field.tsx'
import { Icons } from '#kit/icons.tsx'
import { Prose, Shown } from '#kit/Shown.tsx'
import { deliveryTitle } from '#parts/EventIcon.tsx'
import { BodyDiffView, HeaderDiffTable } from '#parts/diff/on-demand.ts'
import { deliverySide, type DiffSide } from '#parts/diff/CompareBar.tsx'

type Run = ReturnType<typeof useRun>

interface Last {
  readonly delivery: Delivery
  readonly run: ScriptRun
}

const refreshMs = 1000

/** Runs the source on the selected delivery of the list, on the newest, or on the one that is entered. */
export function useRun(source: string) {
  const client = useClient()
  const [id, setId] = useState(() => {
    const { selectedId } = useDeliveries.of(null).getState()
    return selectedId === null ? '' : String(selectedId)
  })
  const newest = useQuery('deliveries.page', { log: null, upTo: null, offset: 0, limit: 1 })
  useRefresh(null, ['deliveries.arrived'], refreshMs, newest.reload)
  const wanted = /^#?\s?([1-9]\d{0,14})$/.exec(id.trim())?.[1]
  const newestId = newest.state.phase === 'ready' ? newest.state.value.rows[0]?.id : undefined
  const deliveryId = id.trim() === '' ? newestId : Number(wanted)
  const { state: loaded } = useQuery(
    'deliveries.get',
    deliveryId === undefined || Number.isNaN(deliveryId) ? null : { id: deliveryId, log: null },
  )
  const delivery = loaded.phase === 'ready' ? loaded.value : null
  const [last, setLast] = useState<Last | null>(null)
  const [state, setState] = useState('{}')
  const action = useAction(async () => {
    if (!delivery) return
    const run = await client.call('scripts.run', {
      source,
      deliveryId: delivery.id,
      log: null,
      state,
    })
    setLast({ delivery, run })
    setState(run.state)
  })
  return {
    id,
    setId,
    delivery,
    /** Why it could not be loaded; null: it could, or there is none. */
    problem: Number.isNaN(deliveryId)
      ? 'Enter the ID of a delivery.'
      : loaded.phase === 'failed'
        ? loaded.message
        : null,
    last,
    state,
    resetState: () => setState('{}'),
    start: () => !action.busy && action.start(),
    action,
  }
}

export function RunPanel({ run, onRun }: { run: Run; onRun: () => void }) {
  const { id, setId, delivery, problem, last, state, resetState, action } = run
  return (
    <section className="grid min-w-0 gap-5" aria-label="Run">
      <form
        className="flex items-end gap-4"
        onSubmit={(event) => (event.preventDefault(), onRun())}
      >
        <Field
          className="w-(--measure-label) flex-none"
          label="Delivery"
          placeholder="Newest"
          value={id}
          error={problem}
          onChange={({ target }) => setId(target.value)}
        />
        <Button
          type="submit"
          icon={Icons.Play}
          busy={action.busy}
          disabled={delivery === null}
          title={`${modKey}+Enter`}
        >
          Run
        </Button>
        <span className="cut text-s text-mid">
          {delivery ? (
            <>
              #{delivery.id} <Shown text={deliveryTitle(delivery)} max={120} />
            </>
          ) : (
            problem === null && (
              <>
                No deliveries yet. <a href="#/setup/sandbox">Send a sample</a>
              </>
            )
          )}
        </span>
      </form>
      <ErrorNote error={action.error} />
      {last ? (
        <Outcome {...last} />
      ) : (
        <p className="text-dim">
          Run it to see what it changes. Nothing is sent, and nothing has to be saved before.
        </p>
      )}
      {state !== '{}' && (
        <div className="grid gap-1">
          <div className="flex items-center justify-between">
            <h3 className="section-title">State</h3>
            <Button kind="quiet" small onClick={resetState}>
              Reset
            </Button>
          </div>
          <CodeBlock label="State" text={state} />
        </div>
      )}
    </section>
  )
}

function Outcome({ delivery, run }: Last) {
  const { result, notes, log, durationMs } = run
  return (
    <>
      <p className="flex flex-wrap justify-between gap-4" role="status">
        <span>{sentenceOf(result, delivery.id)}</span>
        <span className="text-s text-dim">{formatDuration(durationMs)}</span>
      </p>
      {notes.map((note) => (
        <Note key={note} tone="warning">
          <Shown text={note} />
        </Note>
      ))}
      {log.length > 0 && (
        <div className="grid gap-1">
          <h3 className="section-title">Log</h3>
          <CodeBlock label="Log" text={log.join('\n')} />
        </div>
      )}
      {result.kind === 'failed' && (
        <Note tone="invalid" alert>
          {result.failure.line !== null &&
            `Line ${result.failure.line}${result.failure.column === null ? '' : `, column ${result.failure.column}`}: `}
          <Prose text={result.failure.message} />
        </Note>
      )}
      {result.kind === 'request' && <Changes delivery={delivery} request={result} />}
      {result.kind === 'response' && result.status !== null && (
        <CodeBlock label="Response" text={responseText(result)} />
      )}
    </>
  )
}

function sentenceOf(result: ScriptResult, id: number): string {
  switch (result.kind) {
    case 'none':
      return 'It returned nothing: the delivery continues unchanged.'
    case 'skip':
      return 'The delivery is not forwarded.'
    case 'request': {
      const { url, sign } = result
      const signed = { auto: '', keep: ', with the signature as captured', none: ', unsigned' }
      const to = url === null ? '' : ` to ${url}`
      return `What would be sent${to}${signed[sign]}, compared with delivery #${id}:`
    }
    case 'response': {
      const after = result.delayMs > 0 ? ` after ${formatDuration(result.delayMs)}` : ''
      return result.status === null
        ? `The connection is closed without a response${after}.`
        : `The response${after}:`
    }
    case 'failed':
      return 'It failed.'
  }
}

function responseText({ status, headers, body }: ScriptResult & { kind: 'response' }): string {
  return [
    status,
    ...headers.map((header) => header.join(': ')),
    ...(body === '' ? [] : ['', body]),
  ].join('\n')
}

interface ChangesProps {
  delivery: Delivery
  request: ScriptResult & { kind: 'request' }
}

function Changes({ delivery, request: { headers, body, sign } }: ChangesProps) {
  const client = useClient()
  const after = changedHeaders(delivery.headers, headers)
  const sides = useMemo(() => {
    const before = deliverySide(client, delivery, null, null)
    return [before, body === null ? before : bytesSide(before, body)] as const
  }, [client, delivery, body])
  return (
    <>
      <BodyDiffView before={sides[0]} after={sides[1]} />
      <HeaderDiffTable before={delivery.headers} after={after} />
      {body !== null && sign === 'auto' && (
        <Note tone="info">The changed body is signed again if its endpoint has a secret.</Note>
      )}
    </>
  )
}

function bytesSide(before: DiffSide, body: Uint8Array): DiffSide {
  return {
    ...before,
    bytes: body.length,
    bytesKept: body.length,
    sha256: null,
    read: async ({ offset, length }) => ({
      bytes: body.slice(offset, offset + length),
      size: body.length,
    }),
  }
}
