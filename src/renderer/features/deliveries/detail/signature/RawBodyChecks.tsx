import { useState } from 'react'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { CopyButton } from '#renderer/components/CopyButton.tsx'
import { SelectField } from '#renderer/components/Field.tsx'
import { copyText } from '#renderer/platform/clipboard.ts'
import { keepText, keptText } from '#renderer/platform/storage.ts'
import './RawBodyChecks.css'

const kept = 'tabscope.raw-body-check'

/** The correct check over the raw body, for a handler in each of the frameworks. `brand`: the word in the header's name. */
export function RawBodyChecks({ brand }: { readonly brand: string }) {
  const [id, setId] = useState(() => keptText(kept))
  const check = rawBodyChecks.find((one) => one.id === id) ?? rawBodyChecks[0]
  if (!check) return null
  const code = check.code(brand).trimEnd()
  return (
    <section className="plain-card raw-checks" aria-labelledby="raw-checks">
      <header>
        <h3 id="raw-checks">The check for your handler</h3>
        <p>
          The signature is over the bytes as they came. A body that was parsed and written out again
          may have other white space, escapes or numbers: one byte changed, and it does not match.
        </p>
      </header>
      <SelectField
        label="Framework"
        value={check.id}
        onChange={({ target }) => {
          setId(target.value)
          keepText(kept, target.value)
        }}
        hint={check.note.replaceAll('`', '')}
      >
        {rawBodyChecks.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </SelectField>
      <figure className="raw-check-code">
        <figcaption>
          <span className="mono">{check.fileName}</span>
          <span className="dim">{check.language}</span>
          <CopyButton text={code} label={`Copy ${check.fileName}`} copy={copyText} words="Copy" />
        </figcaption>
        <pre
          className="mono selectable"
          role="region"
          aria-label={`Check for ${check.label}`}
          // It scrolls, so the keyboard must be able to reach it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          data-scrolls
        >
          {code}
        </pre>
      </figure>
    </section>
  )
}
