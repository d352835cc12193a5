import { type ReactNode, useState } from 'react'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { loadText, saveText } from '../../platform/storage.ts'
import { generateAddress } from '../../routes/generate.ts'
import { useCan } from '../../state/app.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Row } from '../../ui/Layout.tsx'

type Check = (typeof rawBodyChecks)[number]

const storageKey = 'tabscope.raw-body-check'

/** The framework that the user selected last, and the field that selects it. */
export function useFramework(): { readonly check: Check | undefined; readonly field: ReactNode } {
  const [id, setId] = useState(() => loadText(storageKey))
  const check = rawBodyChecks.find((framework) => framework.id === id) ?? rawBodyChecks[0]
  const field = (
    <SelectField
      label="Framework"
      value={check?.id}
      hint={check?.note.replaceAll('`', '')}
      onChange={({ target }) => {
        setId(target.value)
        saveText(storageKey, target.value)
      }}
    >
      {rawBodyChecks.map((framework) => (
        <option key={framework.id} value={framework.id}>
          {framework.label}
        </option>
      ))}
    </SelectField>
  )
  return { check, field }
}

/** Code that verifies the signature over the raw body. `brand`: the word in the header's name. */
export function CheckCode({ check, brand }: { readonly check: Check; readonly brand: string }) {
  const editing = useCan('editing')
  const code = check.code(brand).trimEnd()
  return (
    <>
      <Row align="center" justify="between" gap={4}>
        <span className="mono size-s">{check.fileName}</span>
        <CopyButton text={code} label={`Copy ${check.fileName}`} words="Copy" />
      </Row>
      <CodeBlock label={`Check for ${check.label}`} text={code} />
      {editing && (
        <a
          className="size-s"
          href={generateAddress({ output: 'handler', target: check.id, observed: null })}
        >
          Generate a complete handler for {check.label}
        </a>
      )}
    </>
  )
}
