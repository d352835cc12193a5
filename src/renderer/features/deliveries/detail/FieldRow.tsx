import type { FieldFormat } from '#catalogue/define.ts'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { Tooltip } from '../../../components/Tooltip.tsx'
import { FieldValue } from './FieldValue.tsx'

interface Props {
  /** What we call it; null: the document does not name it. */
  readonly label: string | null
  /** Its key in the payload. */
  readonly name: string
  /** The document's words. */
  readonly description: string | null
  /** Undefined: it did not come. */
  readonly value: unknown
  readonly format: FieldFormat | null
  /** False when the document says that it may well be absent here. */
  readonly expected: boolean
  readonly known: readonly string[] | undefined
  /** Whether an extra is tagged as not in the document; a type that is unknown as a whole is not. */
  readonly tagged?: boolean
}

/** One field of a payload: label, value, and the key as it came. */
export function FieldRow(props: Props) {
  const { label, name, description, value, format, expected, tagged = true } = props
  const key = cut(name, 60)
  return (
    <div className="field-row">
      <dt>
        {description === null ? (
          <span className="field-label">
            <Shown text={label ?? key} />
          </span>
        ) : (
          <Tooltip text={description.replaceAll('`', '')}>
            <button type="button" className="field-label field-explained">
              {label}
            </button>
          </Tooltip>
        )}
      </dt>
      <dd className="field-value">
        {value === undefined ? (
          <em className="dim">{expected ? 'absent' : 'none, as the document says'}</em>
        ) : (
          <FieldValue value={value} format={format} />
        )}
        {label === null && tagged && (
          <span className="tag" data-tone="info">
            not in the document
          </span>
        )}
      </dd>
      <dd className="field-key mono dim" title={key}>
        <Shown text={key} />
      </dd>
    </div>
  )
}
