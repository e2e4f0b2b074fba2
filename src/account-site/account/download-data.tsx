import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { accountPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { ExportAccountDocument } from '../generated/operations.ts'

/** The page on which users download their data. It is a form and not a link, because each download writes an audit entry. */
export const downloadData = page({
  path: '/account/data',
  title: 'Download your data',
  parent: accountPath,
  recentSignIn: true,
  forms: {
    download: form({
      fields: z.object({}),
      document: ExportAccountDocument,
      variables: () => ({}),
      onSuccess: ({ exportAccount }, { site }) => ({
        name: `account-data-${site.now().toISOString().slice(0, 10)}.json`,
        type: 'application/json',
        body: Buffer.from(`${JSON.stringify(JSON.parse(exportAccount.data), null, 2)}\n`),
      }),
    }),
  },
  view: () => (
    <>
      <p>
        Download a JSON file with the data that we store about you: your profile, memberships, invitations, sessions, trusted devices,
        passkeys, personal tokens, connected apps, and audit log entries about your actions and your account.
      </p>
      <p>The file contains no passwords and no token values. It contains personal information: keep it in a safe place.</p>
      <Form name="download">
        <Buttons>
          <Button>Download your data</Button>
          <a class="button second" href={accountPath}>
            Back to your account
          </a>
        </Buttons>
      </Form>
    </>
  ),
})
