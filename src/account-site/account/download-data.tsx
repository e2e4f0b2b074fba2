import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { dataPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { ExportAccountDocument } from '../generated/operations.ts'

/** The user's data, and links to the pages that delete them. The download is a form and not a link, because each writes an audit entry. */
export const data = page({
  path: dataPath,
  title: 'Data and deletion',
  nav: { group: 'account', icon: 'download', order: 60 },
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
      <section>
        <h2>Download your data</h2>
        <p>
          Get a JSON file with the data that we store about you: your profile, picture, memberships, invitations, sessions, trusted devices,
          passkeys, accounts at identity providers, what directories of teams sent about you, personal tokens, connected apps, and audit log
          entries about your actions and your account.
        </p>
        <p>The file contains no passwords and no token values. It contains personal information: keep it in a safe place.</p>
        <Form name="download">
          <Buttons>
            <Button>Download your data</Button>
          </Buttons>
        </Form>
      </section>
      <section class="danger-zone">
        <h2>Delete your account</h2>
        <p>You are asked to confirm on the next page. The deletion can be undone for 14 days.</p>
        <p>
          <a class="button second danger" href="/account/delete">
            Delete your account…
          </a>
        </p>
      </section>
    </>
  ),
})
