import { Trash2 } from 'lucide-react'
import { Button } from '../../components/Button.tsx'
import { ask } from '../shell/asked.ts'
import { useShell } from '../shell/store.ts'
import { Setting, SettingsCard, useSettingWords } from './Setting.tsx'

export function ClearCard() {
  const kept = useShell((state) => state.stats.deliveries)
  const { hint } = useSettingWords('clear')
  return (
    <SettingsCard title="Deliveries">
      <Setting name="clear">
        <div className="setting-field">
          <Button
            kind="danger"
            icon={<Trash2 aria-hidden />}
            disabled={kept === 0}
            onClick={() => ask('clear')}
          >
            Clear deliveries
          </Button>
          <p className="field-hint">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}
