import type { FieldFormat } from '#catalogue/define.ts'
import { amount } from '#catalogue/payload.ts'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { ago, clockTimeSeconds, fullTime, utcTime } from '../../../components/text/time.ts'
import { useNow } from '../../../components/use-now.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { brief, guessFormat } from './field-format.ts'

const longest = 2000
const tagsDrawn = 60

interface Props {
  readonly value: unknown
  readonly format: FieldFormat | null
}

/** A value by its declared format. One that does not fit the format is drawn as what it is. */
export function FieldValue({ value, format }: Props) {
  if (value === null) return <span className="mono mid">null</span>
  switch (format ?? guessFormat(value)) {
    case 'id':
      return typeof value === 'string' ? <IdValue id={value} /> : <Plain value={value} />
    case 'amount':
      return typeof value === 'number' ? (
        <span title={`${value} as sent; no currency is given`}>{amount(value)}</span>
      ) : (
        <Plain value={value} />
      )
    case 'time':
      return typeof value === 'string' ? <TimeValue text={value} /> : <Plain value={value} />
    case 'tags':
      return Array.isArray(value) ? <Tags values={value} /> : <Plain value={value} />
    case 'flag':
      return typeof value === 'boolean' ? (
        <span>{value ? 'yes' : 'no'}</span>
      ) : (
        <Plain value={value} />
      )
    case 'count':
    case 'text':
    case 'object':
      return <Plain value={value} />
  }
}

function Plain({ value }: { readonly value: unknown }) {
  if (value === '') return <em className="dim">empty text</em>
  const shown = brief(value, longest)
  return typeof value === 'object' ? (
    <span className="mono mid">
      <Shown text={shown} />
    </span>
  ) : (
    <span>
      <Shown text={shown} />
    </span>
  )
}

function IdValue({ id }: { readonly id: string }) {
  if (id === '') return <Plain value={id} />
  return (
    <span className="id-value">
      <span className="mono">
        <Shown text={brief(id, 200)} />
      </span>
      <CopyButton text={id} label={`Copy ${id.slice(0, 60)}`} copy={copyText} />
    </span>
  )
}

function TimeValue({ text }: { readonly text: string }) {
  const at = Date.parse(text)
  const now = useNow()
  if (Number.isNaN(at)) return <Plain value={text} />
  return (
    <span title={`${fullTime(at)}\n${utcTime(at)}\nas sent: ${text}`}>
      {clockTimeSeconds(at)} <span className="dim">{ago(at, now)}</span>
    </span>
  )
}

function Tags({ values }: { readonly values: readonly unknown[] }) {
  if (values.length === 0) return <em className="dim">empty list</em>
  return (
    <span className="tags">
      {values.slice(0, tagsDrawn).map((value, index) => (
        // The same tag may come twice: the place tells them apart.
        // oxlint-disable-next-line react/no-array-index-key
        <span className="tag" key={index}>
          <Shown text={brief(value, 120)} />
        </span>
      ))}
      {values.length > tagsDrawn && <span className="dim">{values.length - tagsDrawn} more</span>}
    </span>
  )
}
