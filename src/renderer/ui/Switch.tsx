import './Switch.css'

interface Props {
  readonly label: string
  /** The ID of the element that describes the switch. */
  readonly describedBy?: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** A switch that takes effect immediately. */
export function Switch({ label, describedBy, on, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-describedby={describedBy}
      title={on ? 'On' : 'Off'}
      className="switch"
      onClick={() => onChange(!on)}
    >
      <span aria-hidden>{on ? 'On' : 'Off'}</span>
    </button>
  )
}
