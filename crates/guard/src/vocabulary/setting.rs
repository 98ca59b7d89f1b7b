//! The kind of system that an effect is in, and the environment.

super::words! {
    /// The kind of system that an effect is in.
    Domain,
    /// A set of domains.
    Domains(u8) {
        /// It affects a database, a queue or a store.
        Database = "database",
        /// It affects a container, an image or a volume.
        Container = "container",
        /// It affects a cluster.
        Cluster = "cluster",
        /// It affects a cloud or a hosted platform.
        Cloud = "cloud",
        /// It affects infrastructure that a description declares.
        Infrastructure = "infrastructure",
        /// It affects a code host or a package registry.
        Hosting = "hosting",
    }
}

super::words! {
    /// The environment in which an effect happens.
    Environment,
    /// A set of environments.
    Environments(u8) {
        /// It happens in an environment whose name says that it is production.
        Production = "production",
        /// It happens in an environment whose name says that it is for tests.
        Test = "test",
        /// It happens in an environment whose name says that it is for development, or to what the call itself made.
        Development = "development",
        /// It happens inside something that is thrown away anyway.
        Throwaway = "throwaway",
        /// It happens inside a container, a cluster or another machine.
        Elsewhere = "elsewhere",
        /// It happens on another machine.
        Remote = "remote",
        /// It happens on this machine.
        Local = "local" (ordinary),
    }
}
