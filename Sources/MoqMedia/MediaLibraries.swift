/// The libraries that media is read and decoded with. They are loaded at their first use, and may be missing.
public enum MediaLibraries {
    /// Why there are none; nil when there are. Loads them.
    public static var problem: String? {
        do throws(MediaError) {
            _ = try Library()
            return nil
        } catch {
            return error.description
        }
    }
}
