import { type FieldFormat, type FieldType, knownValues, type DataField } from '#catalogue/define.ts'
import { describeValueKind, fits, describeType } from '#catalogue/field-type.ts'
import { Shown } from '#kit/Shown.tsx'
import { truncate, shortText } from '#kit/text/visible.ts'
import { Tooltip } from '#kit/Tooltip.tsx'
import { amount, ExactNumber, field, type CommonField } from '#catalogue/payload.ts'
import { brief, guessFormat, readTime, longestId } from './field-format.ts'
import { fromNow, localTime, utcTime } from '#kit/text/time.ts'
import { useNow } from '#kit/Time.tsx'
import { CopyButton } from '#kit/Button.tsx'
import { printValue } from '#contract/filter/print.ts'
import { closeDelivery, setFilterText } from '#client/state/deliveries.ts'

interface Props {
  /** Its entry in the API documentation; null if it is not documented. */
  documented: {
    label: string
    type: FieldType
    description: string
  } | null
  name: string
  /** Undefined if the field is absent. */
  value: unknown
  format: FieldFormat
  state: FieldState
  /** Text shown in place of a value that is displayed elsewhere. */
  instead?: string | undefined
}

/** One field of a payload: its label with a description, its value with remarks, its key and its type. */
export function FieldRow({ documented, name, value, format, state, instead }: Props) {
  const key = truncate(name, 60)
  const type = documented?.type ?? describeValueKind(value)
  return (
    <div className="field-row grid min-h-(--control) grid-cols-[var(--measure-key)_minmax(0,1fr)_auto] items-baseline gap-4 px-0 py-2">
      <dt>
        <Tooltip
          text={
            <>
              {documented?.description.replaceAll('`', '') ??
                'The API documentation does not list this field.'}
              <span className="mt-1 block font-mono text-xs opacity-85">
                <Shown text={key} />: {type}
              </span>
            </>
          }
        >
          <button
            type="button"
            className="field-label field-explained cursor-help wrap-anywhere text-mid"
            data-extra={documented === null}
          >
            {documented?.label ?? <Shown text={key} />}
          </button>
        </Tooltip>
      </dt>
      <dd className="min-w-0 wrap-anywhere select-text [&>.tag]:ml-4">
        {state.absent === null && instead === undefined ? (
          <FieldValue value={value} format={format} />
        ) : (
          <em className="text-dim">{state.absent ?? instead}</em>
        )}
        {/* Without the space, screen readers join both words. */}{' '}
        {state.mark && (
          <span className="tag" data-tone={state.mark.tone}>
            {state.mark.text}
          </span>
        )}
      </dd>
      <dd
        className="mono field-key flex max-w-(--measure-field) min-w-0 justify-end gap-3 text-2xs whitespace-nowrap text-dim"
        title={key}
      >
        {documented !== null && <span className="cut text-mid">{key}</span>}
        <span className="flex-none">{type}</span>
      </dd>
    </div>
  )
}

const maxTextLength = 2000
const maxTags = 60

/** Shows a value by its format. A value that does not fit the format is shown as plain text. */
export function FieldValue({ value, format }: { value: unknown; format: FieldFormat }) {
  if (value === null) return <span className="mono text-mid">null</span>
  switch (format) {
    case 'id':
      if (typeof value === 'string' && value !== '') return <IdValue id={value} />
      break
    case 'amount':
      if (typeof value !== 'number' && !(value instanceof ExactNumber)) break
      return (
        <span className="mono" title={`${brief(value, 60)} as sent; no currency is given`}>
          {amount(value)}
        </span>
      )
    case 'time':
      if (typeof value === 'string') return <Moment text={value} />
      break
    case 'tags':
      if (Array.isArray(value)) return <Tags values={value} />
      break
    case 'flag':
      if (typeof value === 'boolean') return <span>{value ? 'yes' : 'no'}</span>
      break
    case 'count':
    case 'text':
    case 'object':
  }
  return <Plain value={value} />
}

function Plain({ value }: { value: unknown }) {
  if (value === '') return <em className="text-dim">empty text</em>
  const shown = brief(value, maxTextLength)
  return (
    <span className={typeof value === 'string' ? undefined : 'mono'}>
      <Shown text={shown} />
    </span>
  )
}

function Tags({ values }: { values: readonly unknown[] }) {
  if (values.length === 0) return <em className="text-dim">empty list</em>
  return (
    <span
      className="inline-flex max-h-(--measure-aside) flex-[1_0_100%] flex-wrap gap-2 overflow-auto"
      // Long lists scroll, so they must be reachable by keyboard.
      {...(values.length > 4 && { role: 'group', 'aria-label': 'Values', tabIndex: 0 })}
    >
      {values.slice(0, maxTags).map((value, index) => (
        // Tags can repeat, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <span className="tag" key={index}>
          <Shown text={brief(value, 120)} />
        </span>
      ))}
      {values.length > maxTags && <span className="text-dim">{values.length - maxTags} more</span>}
    </span>
  )
}

function Moment({ text }: { text: string }) {
  const now = useNow()
  const time = readTime(text)
  if (!time) return <Plain value={text} />
  const { at, zoned } = time
  const utc = utcTime(at)
  return (
    <span className="grid">
      <span>
        <time dateTime={utc}>{localTime(at)}</time>{' '}
        <span className="whitespace-nowrap text-dim">{fromNow(at, now)}</span>
      </span>
      <span className="mono text-xs text-dim">{utc} UTC</span>
      {text !== utc && (
        <span className="mono text-xs text-dim">
          {text} as received{zoned ? '' : ', no time zone: read as local time'}
        </span>
      )}
    </span>
  )
}

/** An ID that can be copied, with a link to all deliveries that contain it. */
export function IdValue({ id }: { id: string }) {
  const name = shortText(id, 60)
  return (
    <span className="inline-flex items-center gap-2 text-xs wrap-anywhere">
      {id.length > longestId ? (
        <span className="mono">
          <Shown text={id} max={longestId} />
        </span>
      ) : (
        <button
          type="button"
          className="link mono"
          title="Show all deliveries with this ID"
          aria-label={`${name}: show all deliveries with this ID`}
          onClick={() => showDeliveriesWith(id)}
        >
          <Shown text={id} />
        </button>
      )}
      <CopyButton text={id} label={`Copy ${name}`} />
    </span>
  )
}

function showDeliveriesWith(id: string): void {
  setFilterText(`ref:${printValue({ text: id, quoted: true })}`)
  // The open delivery contains the ID as well, and would cover the list in a narrow window.
  closeDelivery()
}

/** A remark shown next to a value. */
export interface FieldMark {
  readonly text: string
  /** `missing`: deviates from the API documentation; `info`: notable, but not an error. */
  readonly tone: 'warning' | 'info'
}

/** How the overview shows one field. */
export interface FieldState {
  /** Shown in place of an absent value; null if there is a value. */
  readonly absent: string | null
  readonly mark: FieldMark | null
}

const nothing: FieldState = { absent: null, mark: null }

/** Compares a field of `data` with its documentation. `value`: undefined if absent. */
export function dataFieldState(declared: DataField, value: unknown, brand: string): FieldState {
  if (value === undefined) return { absent: 'absent', mark: null }
  if (!fits(declared.type, value)) return otherType(declared.type, value)
  const known = knownValues(declared, brand)
  return known.length > 0 && typeof value === 'string' && !known.includes(value)
    ? marked('undocumented value')
    : nothing
}

interface Targets {
  readonly uuid: string | null
  readonly id: string | null
}

/** Compares a common property with its documentation. `target`: the documented target of the type; undefined for an undocumented type. */
export function commonFieldState(
  declared: CommonField,
  value: unknown,
  target: Targets | undefined,
): FieldState {
  const targetless = target !== undefined && isTargetless(declared.key, target)
  if (value === undefined) {
    if (targetless) return { absent: 'none, as documented', mark: null }
    const mark = { text: 'documented as always present', tone: 'warning' } as const
    return { absent: 'absent', mark: declared.optional ? null : mark }
  }
  if (targetless) return value === null ? nothing : marked('not documented for this type')
  return fits(declared.type, value) ? nothing : otherType(declared.type, value)
}

/** The state of an undocumented field. `known`: whether its event type is documented. */
export function extraFieldState(known: boolean): FieldState {
  return known ? marked('not documented') : nothing
}

function otherType(type: DataField['type'], value: unknown): FieldState {
  return marked(`${describeValueKind(value)}, documented as ${describeType(type)}`, 'warning')
}

function marked(text: string, tone: FieldMark['tone'] = 'info'): FieldState {
  return { absent: null, mark: { text, tone } }
}

/** Whether the type is documented to have no such target, so its absence is correct. */
function isTargetless(key: string, target: Targets): boolean {
  return (
    (key === 'targetUuid' && target.uuid === null) || (key === 'targetId' && target.id === null)
  )
}

interface ExtrasProps {
  of: unknown
  keys: readonly string[]
  /** Whether the fields of what has them are documented. */
  known: boolean
}

/** Rows of undocumented fields. */
export function ExtraRows({ of, keys, known }: ExtrasProps) {
  return keys.map((key) => {
    const value = field(of, key)
    return (
      <FieldRow
        key={key}
        documented={null}
        name={key}
        value={value}
        format={guessFormat(value, key)}
        state={extraFieldState(known)}
      />
    )
  })
}
