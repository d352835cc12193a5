import { Text } from './Layout.tsx'
import { Shown } from './Shown.tsx'
import './CodeBlock.css'

interface Props {
  readonly label: string
  readonly text: string
}

/** A fixed text of several lines, as it would be pasted. */
export function CodeBlock({ label, text }: Props) {
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <Text
      as="pre"
      above={4}
      mono
      selectable
      className="code-block"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {text.split('\n').map((line, index) => (
        // The lines of a fixed text: their place is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index}>
          <Shown text={line} />
          {'\n'}
        </span>
      ))}
    </Text>
  )
}
