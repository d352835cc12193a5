import { Shown } from './Shown.tsx'

export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    // A scrollable element must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre
      className="mono code-block mt-4 max-h-(--measure-menu) overflow-auto rounded-md border border-line bg-sunken px-5 py-4 text-s leading-[1.6] wrap-anywhere whitespace-pre-wrap select-text"
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
    </pre>
  )
}
