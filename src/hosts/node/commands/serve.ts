import { servingCommand } from '../serve/serving.ts'

export const command = servingCommand(
  'serve',
  'Receive webhooks, and serve the interface for a browser',
  [
    ['Open the interface in a browser', 'serve'],
    ['Open an event log', 'serve friday.tabscope'],
    ['Use fixed ports, and do not open a browser', 'serve --no-open --port 4780 --ui-port 4781'],
  ],
)
