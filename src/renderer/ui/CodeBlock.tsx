import { Text } from './Layout.tsx'
import { Shown } from './Shown.tsx'
import './CodeBlock.css'

export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // A scrollable element must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <Text
      as="pre"
      marginTop={4}
      mono
      selectable
      className="code-block"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {text.split('\n').map((line, index) => (
        // The text does not change, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index}>
          <Shown text={line} />
          {'\n'}
        </span>
      ))}
    </Text>
  )
}
