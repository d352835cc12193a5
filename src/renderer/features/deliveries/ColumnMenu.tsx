import { useState } from 'react'
import { useKeys } from '../../platform/command-registry.ts'
import {
  addBodyColumn,
  allColumns,
  moveColumn,
  setColumns,
  shownColumns,
  toggleColumn,
  useListColumns,
} from '../../state/list-columns.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Icons } from '../../ui/icons.tsx'
import { Row } from '../../ui/Layout.tsx'
import { escapeControls } from '../../ui/text/visible.ts'
import { ChipMenu } from './filter/CheckMenu.tsx'

/** The button that chooses and orders the columns of the list. Their width is changed at their headings. */
export function ColumnMenu() {
  const chosen = useListColumns()
  const shown = shownColumns(chosen)
  const [open, setOpen] = useState(false)
  useKeys({ columns: () => setOpen(true) })
  return (
    <ChipMenu
      icon={Icons.Columns2}
      words="Columns"
      label="Columns of the list"
      align="end"
      selected={chosen.columns !== null}
      button={{ kind: 'plain', small: false }}
      open={open}
      onOpenChange={setOpen}
    >
      <ul className="scroll check-options">
        {allColumns(shown).map(({ id, label, mono }) => {
          const at = shown.findIndex((column) => column.id === id)
          return (
            <Row as="li" align="center" gap={3} key={id}>
              <label className="check-option grow">
                <input type="checkbox" checked={at >= 0} onChange={() => toggleColumn(id)} />
                <span className={mono && id.startsWith('body:') ? 'mono cut' : 'cut'}>
                  {escapeControls(label)}
                </span>
              </label>
              {at >= 0 && (
                <>
                  <IconButton
                    label={`Move ${label} up`}
                    disabled={at === 0}
                    onClick={() => moveColumn(id, -1)}
                  >
                    <Icons.ArrowUp />
                  </IconButton>
                  <IconButton
                    label={`Move ${label} down`}
                    disabled={at === shown.length - 1}
                    onClick={() => moveColumn(id, 1)}
                  >
                    <Icons.ArrowDown />
                  </IconButton>
                </>
              )}
            </Row>
          )
        })}
      </ul>
      <BodyColumnForm />
      {chosen.columns !== null && (
        <Button kind="quiet" onClick={() => setColumns(null)}>
          Use the standard columns
        </Button>
      )}
    </ChipMenu>
  )
}

function BodyColumnForm() {
  const [path, setPath] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  return (
    <Row
      as="form"
      align="end"
      gap={3}
      pad={[4, 3]}
      line="top-soft"
      onSubmit={(event) => {
        event.preventDefault()
        const added = addBodyColumn(path.trim())
        setIsWrong(!added)
        if (added) setPath('')
      }}
    >
      <div className="grow shrink">
        <Field
          label="Value of the body"
          placeholder="data.itemNames[0]"
          value={path}
          maxLength={200}
          error={isWrong ? 'Write a path such as data.total or data.itemNames[0].' : null}
          onChange={(event) => setPath(event.target.value)}
        />
      </div>
      <Button type="submit" disabled={path.trim() === ''}>
        Add
      </Button>
    </Row>
  )
}
