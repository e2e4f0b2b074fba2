import { accountNotices } from './notices/account-notices.ts'
import { appNotices } from './notices/app-notices.ts'
import type { NoticeTexts } from './notices/notice-text.ts'
import { signInNotices } from './notices/sign-in-notices.ts'
import { teamNotices } from './notices/team-notices.ts'

/**
 * All notices, which create their text from their values. To add one, add its values to `Notices` in schema/core/notices/notices.ts and its
 * text to one of these files, and send it with `sendNotice`.
 */
export const notices: NoticeTexts = { ...accountNotices, ...teamNotices, ...signInNotices, ...appNotices }
