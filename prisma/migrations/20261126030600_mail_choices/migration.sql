-- The mails that a user has switched off. Text and not an enum: schema/core/mail-choices.ts declares the kinds, and a version without one
-- of them ignores it.
ALTER TABLE "users" ADD COLUMN "muted_mails" TEXT[] NOT NULL DEFAULT '{}';
