import { useId } from 'react'
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
    <div
      className="segments inline-flex max-w-full flex-none flex-wrap gap-px rounded-md bg-sunken p-1"
      role="radiogroup"
      aria-label={label}
      data-scrolls
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="segment [&_input]:absolute [&_input]:inset-0 [&_input]:m-0 [&_input]:opacity-0"
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
