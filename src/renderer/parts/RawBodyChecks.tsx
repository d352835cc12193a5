import { Fragment, type ReactNode, useState } from 'react'
import { checkFiles, type Framework, frameworks } from '#catalogue/frameworks.ts'
import { Prose } from '#kit/Shown.tsx'
import { loadText, saveText } from '#kit/storage.ts'
import { generateAddress } from '#client/addresses/pages.ts'
import { CodeBlock } from '#kit/CodeBlock.tsx'
import { CopyButton } from '#kit/Button.tsx'
import { SelectField } from '#kit/Field.tsx'

const storageKey = 'tabscope.raw-body-check'

/** The framework that the user selected last, and the field that selects it. */
export function useFramework(): {
  readonly framework: Framework | undefined
  readonly field: ReactNode
} {
  const [id, setId] = useState(() => loadText(storageKey))
  const framework = frameworks.find((each) => each.id === id) ?? frameworks[0]
  const field = (
    <SelectField
      label="Framework"
      value={framework?.id}
      hint={framework && <Prose text={framework.note} />}
      onChange={({ target }) => {
        setId(target.value)
        saveText(storageKey, target.value)
      }}
    >
      {frameworks.map((each) => (
        <option key={each.id} value={each.id}>
          {each.label}
        </option>
      ))}
    </SelectField>
  )
  return { framework, field }
}

interface CheckProps {
  framework: Framework
  /** The word in the header's name. */
  brand: string
}

/** The files of a handler that verify the signature over the raw body. */
export function CheckCode({ framework, brand }: CheckProps) {
  const { id, label } = framework
  return (
    <>
      {checkFiles(framework, brand).map(({ path, text }) => (
        <Fragment key={path}>
          <div className="flex items-center justify-between gap-4">
            <span className="mono text-s">{path}</span>
            <CopyButton text={text.trimEnd()} label={`Copy ${path}`} words="Copy" />
          </div>
          <CodeBlock label={`${path} for ${label}`} file={path} text={text.trimEnd()} />
        </Fragment>
      ))}
      <a
        className="text-s"
        href={generateAddress({ output: 'handler', target: id, observed: null })}
      >
        Generate a complete handler for {label}
      </a>
    </>
  )
}
