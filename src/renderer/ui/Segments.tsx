import { useId } from 'react'
import { Row } from './Layout.tsx'
import './Segments.css'

interface Props<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}

/** A choice between a few options. Uses native radio buttons, so that the arrow keys work. */
export function Segments<T extends string>({ label, value, options, onChange }: Props<T>) {
  const name = useId()
  return (
    <Row inline wrap className="segments" role="radiogroup" aria-label={label} data-scrolls>
      {options.map((option) => (
        <label key={option.value} className="segment">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </Row>
  )
}
