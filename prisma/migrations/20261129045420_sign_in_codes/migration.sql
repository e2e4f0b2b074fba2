-- AlterEnum
ALTER TYPE "MailLinkKind" ADD VALUE 'sign_in';
