import { command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { ExportUserDocument } from '../../generated/operations.ts'

export const userExport = command({
  name: 'user export',
  summary: 'Write everything that is stored about a user',
  description: 'Prints one JSON document, for a user who requests a copy of their data. It contains no passwords and no token values.',
  positionals: { email: { stored: 'user', description: 'email address of the account' } },
  run: ({ positionals: { email } }) =>
    asOperator(async (execute) => {
      const { payload } = await execute(ExportUserDocument, { input: { email } })
      const value: object = JSON.parse(payload.data)
      return { value, text: JSON.stringify(value, null, 2) }
    }),
})
