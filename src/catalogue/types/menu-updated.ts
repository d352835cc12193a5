import { withoutData } from '../define.ts'

export default withoutData({
  type: 'MENU_UPDATED',
  label: 'Menu changed',
  fired: 'Fired when a menu at a location is updated. `targetUuid` = menu UUID. Data: none.',
  subject: 'Menu',
  change: 'changed',
  icon: 'book-open',
})
