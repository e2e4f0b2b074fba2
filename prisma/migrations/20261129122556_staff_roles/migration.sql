-- CreateEnum
CREATE TYPE "StaffRole" AS ENUM ('reader', 'support', 'admin');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "staff_role" "StaffRole";

-- The users who are staff already have no role, which counts as reader: rows are not rewritten.
-- A version without roles reads and writes "staff" alone. The trigger keeps both columns in step, whichever of them is written, so that
-- nobody keeps a role whom such a version removed from the staff, also during an upgrade. If the role is written, it decides.
CREATE FUNCTION "users_staff_role"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."staff_role" IS DISTINCT FROM (CASE WHEN TG_OP = 'UPDATE' THEN OLD."staff_role" END) THEN
        NEW."staff" := NEW."staff_role" IS NOT NULL;
    ELSIF NOT NEW."staff" THEN
        NEW."staff_role" := NULL;
    ELSIF NEW."staff_role" IS NULL THEN
        NEW."staff_role" := 'reader';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "users_staff_role" BEFORE INSERT OR UPDATE OF "staff", "staff_role" ON "users"
    FOR EACH ROW EXECUTE FUNCTION "users_staff_role"();
