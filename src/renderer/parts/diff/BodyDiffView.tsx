import { formatSize, formatCount, plural } from '#shared/text/format.ts'
import { maxComparedBytes, type ValueChange } from '#shared/diff/bodies.ts'
import { Icons } from '#kit/icons.tsx'
import { Fragment, useState, useEffect } from 'react'
import { Note } from '#kit/Note.tsx'
import { Segments } from '#kit/Switch.tsx'
import { Shown } from '#kit/Shown.tsx'
import type { ShownBodyDiff, DiffApi } from './diff-model.ts'
import { Changed, DiffBox, DiffLine, DiffSection, LineDiffView, SameText } from './LineDiffView.tsx'
import type { DiffSide } from './CompareBar.tsx'
import { joinBytes } from '#shared/bytes/text.ts'
import { CallError } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { callWorker, type Calls } from '#client/worker-calls.ts'
import { isEncoded } from '#parts/body/use-body.ts'

const viewLabels = { value: 'By value', line: 'By line' } as const
type View = keyof typeof viewLabels

interface Props {
  before: DiffSide
  after: DiffSide
}

export function BodyDiffView({ before, after }: Props) {
  const comparison = useBodyDiff(before, after)
  return (
    <DiffSection title="Body">
      <Redacted before={before} after={after} />
      <Compared comparison={comparison} before={before} after={after} />
      <dl className="definitions text-s">
        {[before, after].map((side, index) => (
          <Fragment key={index === 0 ? 'before' : 'after'}>
            <dt>{index === 0 ? 'Before' : 'After'}</dt>
            <dd>
              {side.altered === 'omitted' ? 'not in the log' : formatSize(side.bytesKept)}
              {side.altered === 'redacted' && ', redacted'}
              {side.altered === null &&
                side.bytesKept < side.bytes &&
                ` stored of ${formatSize(side.bytes)}`}
            </dd>
          </Fragment>
        ))}
      </dl>
    </DiffSection>
  )
}

function Redacted({ before, after }: Props) {
  const sides = [before.altered === 'redacted', after.altered === 'redacted']
  if (!sides.includes(true)) return null
  const [subject, log] = sides.includes(false)
    ? [`The body ${sides[0] ? 'before' : 'after'} was`, 'its log was']
    : ['Both bodies were', 'their logs were']
  return (
    <Note tone="info">
      {subject} redacted when {log} exported. Aliases and masks replace values, so this comparison
      differs from one of the captured bodies.
    </Note>
  )
}

function Compared({ comparison, before, after }: Props & { readonly comparison: BodyComparison }) {
  switch (comparison.phase) {
    case 'comparing':
      return (
        <p className="text-dim" role="status">
          Comparing the bodies…
        </p>
      )
    case 'failed':
      return (
        <Note tone="invalid" alert>
          {comparison.message}
        </Note>
      )
    case 'same':
      return (
        <SameText>
          {before.bytesKept === 0 && after.bytesKept === 0
            ? 'Neither message has a body.'
            : sameBytes(before, after)}
        </SameText>
      )
    case 'omitted':
      return <Note tone="info">{omittedSentence(before, after)}</Note>
    case 'too-long':
      return (
        <Note tone="info">
          {before.sha256 === null || after.sha256 === null
            ? `The bodies cannot be compared: one is larger than ${formatSize(maxComparedBytes)} and has no SHA-256.`
            : `The bodies differ. One is larger than ${formatSize(maxComparedBytes)}, so only their SHA-256 is compared.`}
        </Note>
      )
    case 'ready':
      return (
        <Found
          diff={comparison.diff}
          decoded={comparison.decoded}
          same={sameBytes(before, after)}
        />
      )
  }
}

function sameBytes(before: DiffSide, after: DiffSide): string {
  const redacted = before.altered === 'redacted' || after.altered === 'redacted'
  return `The bodies are identical, byte for byte${redacted ? ', as redacted' : ''}.`
}

function omittedSentence(before: DiffSide, after: DiffSide): string {
  if (before.altered === after.altered) return 'Neither body is in its log.'
  const which = before.altered === 'omitted' ? 'before' : 'after'
  return `The bodies cannot be compared: the body ${which} is not in its log.`
}

interface FoundProps {
  diff: ShownBodyDiff
  same: string
  decoded: readonly [before: boolean, after: boolean]
}

function Found({ diff, decoded, same }: FoundProps) {
  const [selectedView, setSelectedView] = useState<View | null>(null)
  const possible: View[] = [
    ...(diff.values.length > 0 ? (['value'] as const) : []),
    ...(diff.lines.length > 0 ? (['line'] as const) : []),
  ]
  const view = possible.find((each) => each === selectedView) ?? possible[0]
  const both = decoded[0] && decoded[1]
  const which = both ? 'Both bodies' : decoded[0] ? 'The body before' : 'The body after'
  return (
    <>
      {diff.equal ? <SameText>{same}</SameText> : <p>{summary(diff)}</p>}
      {(decoded[0] || decoded[1]) && (
        <Note tone="info">
          {which} had a content encoding and {both ? 'were' : 'was'} decoded for the comparison.
        </Note>
      )}
      {!diff.equal && (
        <>
          {possible.length > 1 && (
            <Segments
              label="Compare"
              value={view ?? 'value'}
              options={possible.map((value) => ({ value, label: viewLabels[value] }))}
              onChange={setSelectedView}
            />
          )}
          {view === 'value' && <ValueDiffView diff={diff} />}
          {view === 'line' && <LineDiffView rows={diff.lines} />}
        </>
      )}
    </>
  )
}

function summary({ as, values, bytes, firstDifference }: ShownBodyDiff): string {
  if (as === 'text') return 'The bodies are not both JSON: compared by line.'
  if (as === 'bytes') {
    return `The bodies are not both text. They differ from byte ${formatCount(firstDifference ?? 0)} on, counted from 0: ${plural(bytes[0], 'byte', 'bytes')} before, ${formatCount(bytes[1])} after.`
  }
  return values.length > 0
    ? 'The bodies differ. By value, key order, white space and escapes are ignored.'
    : 'Same values with different formatting: white space, key order, escapes or number format.'
}

function ValueDiffView({ diff: { values, counts } }: { diff: ShownBodyDiff }) {
  const all = counts.added + counts.removed + counts.changed
  const rest = all - values.length
  return (
    <DiffBox
      summary={
        <>
          {plural(all, 'difference', 'differences')}: {formatCount(counts.added)} added,{' '}
          {formatCount(counts.removed)} removed, {formatCount(counts.changed)} changed.
          {rest > 0 && ` The last ${formatCount(rest)} are not shown.`}
        </>
      }
    >
      <div
        className="mono text-s select-text [&>.diff-line]:h-auto [&>.diff-line]:px-4 [&>.diff-line]:py-1 [&>.diff-line]:wrap-anywhere [&>.diff-line]:whitespace-pre-wrap"
        role="region"
        aria-label="Differences by path"
      >
        {values.map((value) => (
          <ValueLine key={`${value.change} ${value.path}`} value={value} />
        ))}
      </div>
    </DiffBox>
  )
}

function ValueLine({ value: { path, change, before, after } }: { value: ValueChange }) {
  return (
    <DiffLine kind={change}>
      <span className="tree-key">
        <Shown text={path === '' ? 'body' : path} />
        <span className="tree-colon">: </span>
      </span>
      <span className="visually-hidden">{change} </span>
      {before !== null && <Changed kind="removed" text={before} />}
      {change === 'changed' && (
        <>
          <Icons.ArrowRight />
          <span className="visually-hidden"> becomes </span>
        </>
      )}
      {after !== null && <Changed kind="added" text={after} />}
    </DiffLine>
  )
}

const sliceBytes = 512 * 1024

type BodyComparison =
  | { readonly phase: 'comparing' }
  | { readonly phase: 'failed'; readonly message: string }
  /** Their SHA-256 is equal, so the bytes were not compared. */
  | { readonly phase: 'same' }
  | { readonly phase: 'too-long' }
  /** At least one body is not in its event log. */
  | { readonly phase: 'omitted' }
  | {
      readonly phase: 'ready'
      readonly diff: ShownBodyDiff
      /** Which bodies were decoded from a content encoding. */
      readonly decoded: readonly [before: boolean, after: boolean]
    }

interface BodyFound extends Props {
  readonly comparison: BodyComparison
}

function useBodyDiff(before: DiffSide, after: DiffSide): BodyComparison {
  const [found, setFound] = useState<BodyFound | null>(null)
  const known = knownWithoutBytes(before, after)
  useEffect(() => {
    if (known) return undefined
    let current = true
    const show = (comparison: BodyComparison): void => {
      if (current) setFound({ before, after, comparison })
    }
    const worker = callWorker<DiffApi>(
      new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module' }),
    )
    compareIn(worker, before, after)
      .then(show, (error: unknown) => show({ phase: 'failed', message: messageOf(error) }))
      .finally(() => worker.close())
    return () => {
      current = false
      worker.close()
    }
  }, [after, before, known])
  if (known) return { phase: known }
  return found?.before === before && found.after === after
    ? found.comparison
    : { phase: 'comparing' }
}

function knownWithoutBytes(
  before: DiffSide,
  after: DiffSide,
): 'omitted' | 'same' | 'too-long' | null {
  if (before.altered === 'omitted' || after.altered === 'omitted') return 'omitted'
  const sameBytes = before.sha256 !== null && before.sha256 === after.sha256
  if (sameBytes && isEncoded(before.headers) === isEncoded(after.headers)) return 'same'
  if (before.bytesKept === 0 && after.bytesKept === 0) return 'same'
  const longest = Math.max(before.bytesKept, after.bytesKept)
  return longest > maxComparedBytes ? 'too-long' : null
}

async function compareIn(
  worker: Calls<DiffApi>,
  before: DiffSide,
  after: DiffSide,
): Promise<BodyComparison> {
  const [old, fresh] = [await bodyOf(before), await bodyOf(after)]
  const bodies = { before: old.bytes, after: fresh.bytes }
  const diff = await worker.call('compare', bodies, [old.bytes.buffer, fresh.bytes.buffer])
  return { phase: 'ready', diff, decoded: [old.decoded, fresh.decoded] }
}

async function bodyOf({ headers, read }: DiffSide) {
  let decoded = isEncoded(headers)
  const parts: Uint8Array[] = []
  for (let offset = 0; offset <= maxComparedBytes;) {
    try {
      const { bytes, size } = await read({ offset, length: sliceBytes, decoded })
      parts.push(bytes)
      offset += bytes.length
      if (bytes.length === 0 || offset >= size) break
    } catch (error) {
      // The body is not encoded as its header says.
      if (!decoded || !(error instanceof CallError) || error.code !== 'bad_input') throw error
      decoded = false
    }
  }
  return { bytes: joinBytes(parts), decoded }
}
